// Writes a trace again with its heap dumps exchanged: every other byte of it goes through untouched. In: the
// trace, to be read twice, and the texts that take the place of its heap dumps. Out: the trace.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "formats/core/output_file.hpp"
#include "formats/core/source.hpp"
#include "heapcheck/limits.hpp"
#include "heapcheck/result.hpp"

namespace heapcheck::conversion::chrome {

/// What takes the place of heap dumps. Events are named by their place in the trace.
struct Replacement {
  /// The member of `args.dumps` for the dump that the event carried: `"heaps":{...}`.
  std::function<std::string(std::uint64_t event)> make_member;
  /// A whole event for the dump that the event carried, where it was no memory dump itself.
  std::function<std::string(std::uint64_t event)> make_event;
  /// Events to stand behind all others.
  std::vector<std::string> appended;
};

/// Writes the trace in `source` to `out`: heaps are replaced, events with the names of stack frames and types
/// are left out, an array that was not closed is. Errors: unreadable, where the trace cannot be read to its
/// end; those of `out`.
Result<void> keep_trace(core::SeekableSource& source, const Limits& limits, const Replacement& replacement,
                        core::ByteSink& out);

}  // namespace heapcheck::conversion::chrome
