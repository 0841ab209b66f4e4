// Finds where the rows of nodes and edges become misaligned because a number is missing from their array or
// there is one too many, so that all later numbers end up in the wrong columns. Borrows the snapshot.
// spec: v8/heapsnapshot.md#recovery
#pragma once

#include <cstdint>

#include "formats/v8/heapsnapshot/model.hpp"

namespace heapcheck::recovery::v8::heapsnapshot {

/// The number of rows, counted from the first, that may still be aligned: all of them, unless the array was
/// read to its end and has the wrong length. Takes time linear in the size of the section, and as much memory
/// as finding repeated ids.
[[nodiscard]] std::uint64_t count_aligned_nodes(const heapcheck::v8::heapsnapshot::Snapshot& snapshot);
/// The same for edges. The nodes must not have been repaired yet.
[[nodiscard]] std::uint64_t count_aligned_edges(const heapcheck::v8::heapsnapshot::Snapshot& snapshot);

}  // namespace heapcheck::recovery::v8::heapsnapshot
