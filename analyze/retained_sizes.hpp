// How much memory each node retains. In: a dominator tree and the sizes of the nodes, or a graph.
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

/// The dominator tree of a graph by the rules of its format, and what its nodes retain.
struct Retention {
  Dominators dominators;
  std::vector<std::uint64_t> sizes;     ///< of each node, as it counts in retained sizes, in bytes
  std::vector<std::uint64_t> retained;  ///< the retained size of each node in bytes
};

/// spec: analysis.md
[[nodiscard]] Retention find_retention(const Graph& graph);

}  // namespace heapcheck::analyze
