// How much memory each node retains. In: a dominator tree and the sizes of the nodes. Owns nothing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyze/dominators.hpp"

namespace heapcheck::analyze {

/// For each node, the size in bytes of all nodes that it dominates, including itself: what would be freed
/// with it. 0 for nodes that are left out. `sizes` has one row for each node. A sum of 2^64 or more counts as
/// 2^64 - 1.
[[nodiscard]] std::vector<std::uint64_t> find_retained_sizes(const Dominators& dominators,
                                                             std::span<const std::uint64_t> sizes);

}  // namespace heapcheck::analyze
