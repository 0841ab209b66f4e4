// Writes the heap dumps of a trace in either format: as a trace of their own, or in the place of those that a
// trace holds. Each writer owns what it writes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "convert/chrome/keep_trace.hpp"
#include "convert/chrome/legacy/from_profile.hpp"
#include "convert/chrome/profile.hpp"
#include "formats/core/output_file.hpp"
#include "formats/detect.hpp"
#include "formats/read_trace.hpp"
#include "heapcheck/limits.hpp"
#include "heapcheck/result.hpp"

namespace heapcheck::conversion::chrome {

/// What the dumps of a trace mean, and what of them the profile does not hold.
struct TraceMeaning {
  chrome::Profile profile;
  std::vector<Loss> losses;
};

/// `trace` holds dumps of one format.
TraceMeaning make_profile(const formats::Trace& trace);

class TraceWriter {
 public:
  virtual ~TraceWriter() = default;
  /// Writes the dumps and their metadata as events, a comma and a line feed between them.
  virtual Result<void> write_events(core::ByteSink& out) const = 0;
  /// What takes the place of the dumps in the trace that they come from. Borrows this writer.
  [[nodiscard]] virtual chrome::Replacement make_replacement() const = 0;
  /// What the format does not hold of the profile.
  [[nodiscard]] virtual std::vector<Loss> losses() const { return {}; }
};

/// For Format::chrome_legacy or Format::heaps_v2; the cut-off is the first one's. Errors: those of converting
/// to the legacy format.
Result<std::unique_ptr<TraceWriter>> make_trace_writer(Format format, const chrome::Profile& profile,
                                                       const chrome::legacy::CutOff& cut_off,
                                                       const Limits& limits);

/// The same for a model of the legacy format as it is, with names for its processes.
std::unique_ptr<TraceWriter> make_trace_writer(heapcheck::chrome::legacy::Model model,
                                               const std::map<std::int64_t, std::string>& process_names);

/// Writes a trace object that holds the writer's events and nothing else.
Result<void> write_trace(const TraceWriter& writer, core::ByteSink& out);

}  // namespace heapcheck::conversion::chrome
