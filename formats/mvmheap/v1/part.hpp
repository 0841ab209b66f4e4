// A part of a version 1 file, which is a snapshot. The tables belong to the first part. A file that has
// tables but no snapshots yields one part without a snapshot.
#pragma once

#include <cstdint>

#include "formats/mvmheap/part.hpp"
#include "formats/mvmheap/v1/container.hpp"
#include "formats/mvmheap/v1/rows.hpp"

namespace heapcheck::mvmheap::v1 {

struct LinePart : mvmheap::Part {
  Span head;                 ///< the `snapshot N` line
  std::uint64_t number = 0;  ///< the number in the file, or the expected number if it cannot be read
  RowPlaces collectables;
  RowPlaces references;

  /// Empties the part for reuse but keeps the memory of its columns.
  void reset(std::uint64_t new_index) {
    mvmheap::Part::reset(new_index);
    collectables.clear();
    references.clear();
    head = {};
  }
};

/// These functions append rows from the `types` and `static_frames` lists to the tables, and rows from the
/// `collectables` and `references` lists to the snapshot.
void append_rows(const RowBlock& rows, LineKind kind, Tables& tables);
void append_rows(const RowBlock& rows, LineKind kind, Snapshot& snapshot);

/// Reserves memory for the number of references that the collectables claim to have, if this number is
/// plausible.
void reserve_references(Snapshot& snapshot);

}  // namespace heapcheck::mvmheap::v1
