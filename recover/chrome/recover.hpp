// Recovers the whole events of a damaged Chrome trace, byte for byte. An event that contains a heap dump or
// names counts as whole only if it has no errors, so a dump whose names or maps are lost is left out. spec:
// chrome/trace.md#recovery
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "formats/core/output/output_file.hpp"
#include "formats/core/source.hpp"
#include "heapcheck/types/format.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/result.hpp"
#include "recover/chrome/intact_parts.hpp"

namespace heapcheck::recovery::chrome {

/// The content that was kept, left out and changed.
struct Recovery {
  Format format{};                ///< the format of the heap dumps that were kept
  std::uint64_t kept_events = 0;  ///< if this is 0 and something was left out, nothing is written
  std::uint64_t kept_dumps = 0;   ///< the number of kept events with a heap dump
  std::uint64_t dropped_events = 0;
  std::uint64_t dropped_dumps = 0;    ///< the number of dropped events that are known to contain a heap dump
  std::uint64_t dropped_members = 0;  ///< the number of dropped members of the object around the events
  std::uint64_t dropped_bytes = 0;    ///< the number of bytes after the last part that could be read
  bool is_cut = false;                ///< whether an unknown number of events after the last one may be lost
  std::uint64_t punctuation_changes = 0;  ///< the number of commas and brackets that were added or removed
  LeftOutEvents events;                   ///< the dropped events that are described
  std::vector<LeftOut> members;           ///< the dropped members
  std::string lack;                       ///< what the trace contains if it has no heap dumps

  /// Whether any content was dropped.
  [[nodiscard]] bool has_lost() const {
    return std::max({dropped_events, dropped_members, dropped_bytes}) != 0;
  }
};

/// Writes the intact parts of the trace in `source` to `out`. Reads the trace three times, and two more times
/// for each round in which heap dumps turn out to depend on parts that were left out. Errors: limit;
/// unwritable; unreadable if the source cannot be read; damaged if an error is not inside an event.
Result<Recovery> recover(core::SeekableSource& source, const Limits& limits, core::ByteSink& out);

}  // namespace heapcheck::recovery::chrome
