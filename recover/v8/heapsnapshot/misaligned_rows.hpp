// Finds where the rows of nodes and edges are misaligned: a number is missing from their array or one too
// many, and what stands behind it reads as other columns than it was written for. Borrows the snapshot. spec:
// v8/heapsnapshot.md#recovery
#pragma once

#include <cstdint>

#include "formats/v8/heapsnapshot/model.hpp"

namespace heapcheck::recovery::v8::heapsnapshot {

/// How many of the first rows can be what was written: all, unless the array was read to its end and is not
/// as long as it should be. Linear in the section. Memory: that of finding ids that occurred before.
[[nodiscard]] std::uint64_t count_aligned_nodes(const heapcheck::v8::heapsnapshot::Snapshot& snapshot);
/// The same of edges, for which nodes must be as they were read.
[[nodiscard]] std::uint64_t count_aligned_edges(const heapcheck::v8::heapsnapshot::Snapshot& snapshot);

}  // namespace heapcheck::recovery::v8::heapsnapshot
