// Finds the parts of a damaged trace that are well-formed JSON: whole events, and whole members of the object
// around them. The input is a trace, which is read once. The output is a list of pieces from which a
// well-formed trace can be made. Each part that is left out takes a few words of memory. spec:
// chrome/trace.md#recovery
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "formats/core/window.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/result.hpp"
#include "recover/chrome/pieces.hpp"

namespace heapcheck::recovery::chrome {

/// An event or member that is left out.
struct LeftOut {
  std::string what;  ///< `event 17`, `heap dump 0x1 of process 7, event 17`, or the key of the member
  std::string reason;
  bool has_heaps = false;  ///< whether it is known to contain a heap dump
};

/// The key is the index of the event in the trace. Damaged events have indices too. Several damaged events
/// that cannot be distinguished count as one.
using LeftOutEvents = std::map<std::uint64_t, LeftOut>;

/// The maximum number of events that are described.
inline constexpr std::size_t max_described = 1000;

struct IntactParts {
  std::vector<Piece> pieces;
  std::uint64_t kept_events = 0;
  std::vector<std::uint64_t> left_out;  ///< the indices of all events that are left out, in ascending order
  LeftOutEvents damaged;                ///< the first events that are not well-formed or are not objects
  std::vector<LeftOut> lost_members;    ///< members of the trace object that are left out
  std::uint64_t lost_bytes = 0;         ///< the number of bytes after the last part that could be read
  bool is_cut = false;  ///< whether an unknown number of events after the last one may be lost
  std::uint64_t punctuation_changes = 0;  ///< the number of commas and brackets that had to be added or
                                          ///< removed
};

/// `window` is at the first byte of the trace. Events in `unwanted` are also left out. If `is_nested` is
/// true, the events may be inside another member whose closing bracket is lost. Errors: limit.
Result<IntactParts> find_intact_parts(core::Window& window, const Limits& limits,
                                      const LeftOutEvents& unwanted, bool is_nested);

}  // namespace heapcheck::recovery::chrome
