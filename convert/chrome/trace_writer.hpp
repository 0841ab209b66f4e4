// Writes the heap dumps of a trace in either format, as a separate trace or in place of the dumps in the
// original trace. Each writer owns its dumps.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "convert/chrome/legacy/profile.hpp"
#include "convert/chrome/profile.hpp"
#include "formats/core/output/output_file.hpp"
#include "formats/core/source.hpp"
#include "formats/detect.hpp"
#include "formats/read_trace.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::conversion::chrome {

/// The meaning of the dumps in a trace, with the names of its processes. `trace` must contain dumps of only
/// one format.
Meaning make_profile(const formats::Trace& trace);

/// The replacements for the heap dumps of a trace. Events are identified by their index in the trace.
struct Replacement {
  /// Makes the member of `args.dumps` for the dump of an event, such as `"heaps":{...}`.
  std::function<std::string(std::uint64_t event)> make_member;
  /// Makes a whole event for the dump of an event that is not itself a memory dump.
  std::function<std::string(std::uint64_t event)> make_event;
  /// Events to be added after all other events.
  std::vector<std::string> appended;
};

class TraceWriter {
 public:
  virtual ~TraceWriter() = default;
  /// Writes the dumps and their metadata as events, separated by a comma and a line feed.
  virtual Result<void> write_events(core::ByteSink& out) const = 0;
  /// The replacements for the dumps in the original trace. Borrows this writer.
  [[nodiscard]] virtual Replacement make_replacement() const = 0;
  /// The parts of the profile that the format cannot represent.
  [[nodiscard]] virtual std::vector<Loss> losses() const { return {}; }
};

/// Makes a writer for Format::chrome_legacy or Format::heaps_v2. The cut-off applies only to chrome_legacy.
/// Errors: any error from converting to the legacy format.
Result<std::unique_ptr<TraceWriter>> make_trace_writer(Format format, const chrome::Profile& profile,
                                                       const chrome::legacy::CutOff& cut_off,
                                                       const Limits& limits);

/// Makes a writer for an unchanged model of the legacy format, with names for its processes.
std::unique_ptr<TraceWriter> make_trace_writer(heapcheck::chrome::legacy::Model model,
                                               const std::map<std::int64_t, std::string>& process_names);

/// Writes a trace object that contains only the writer's events.
Result<void> write_trace(const TraceWriter& writer, core::ByteSink& out);

/// Writes the trace in `source`, which is read twice, to `out`. Heaps are replaced, events with the names of
/// stack frames and types are left out, an unclosed array is closed, and all other bytes are copied
/// unchanged. Errors: unreadable if the trace cannot be read to its end; any error of `out`.
Result<void> keep_trace(core::SeekableSource& source, const Limits& limits, const Replacement& replacement,
                        core::ByteSink& out);

}  // namespace heapcheck::conversion::chrome
