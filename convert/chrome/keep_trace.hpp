// Rewrites a trace with its heap dumps replaced; every other byte is copied unchanged. In: the trace, which
// is read twice, and the replacements for its heap dumps. Out: the trace.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "formats/core/output/output_file.hpp"
#include "formats/core/source.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::conversion::chrome {

/// The replacements for the heap dumps of a trace. Events are identified by their index in the trace.
struct Replacement {
  /// Makes the member of `args.dumps` for the dump of an event: `"heaps":{...}`.
  std::function<std::string(std::uint64_t event)> make_member;
  /// Makes a whole event for the dump of an event that is not itself a memory dump.
  std::function<std::string(std::uint64_t event)> make_event;
  /// Events to be added after all others.
  std::vector<std::string> appended;
};

/// Writes the trace in `source` to `out`: heaps are replaced, events with the names of stack frames and types
/// are left out, and an unclosed array is closed. Errors: unreadable, if the trace cannot be read to its end;
/// those of `out`.
Result<void> keep_trace(core::SeekableSource& source, const Limits& limits, const Replacement& replacement,
                        core::ByteSink& out);

}  // namespace heapcheck::conversion::chrome
