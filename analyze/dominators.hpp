// The dominator tree of a graph. In: a graph and the edges that retain their targets. Owns its columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/node_set.hpp"
#include "heapcheck/types/graph.hpp"

namespace heapcheck::analyze {

/// What happens to nodes that no path leads to.
enum class Unreached : std::uint8_t {
  left_out,  ///< they have no dominator
  /// The root dominates them. Those without any edge to them count as if the root had one, as in DevTools.
  held_by_root,
};

/// A node dominates another if every path from the root to the other leads through it. The immediate
/// dominator is the one that all others dominate.
struct Dominators {
  static constexpr std::uint32_t none = UINT32_MAX;

  /// The immediate dominator of each node; `none` for the root and for nodes that are left out.
  std::vector<std::uint32_t> dominator;
  /// All nodes that are not left out, the root first, each after its dominator.
  std::vector<std::uint32_t> order;
};

/// Follows only `edges`. Uses the algorithm Semi-NCA: L. Georgiadis, "Linear-Time Algorithms for Dominators
/// and Related Problems" (thesis, Princeton, 2005). Does not recurse. Takes 32 bytes for each node and 4 for
/// each edge, of which 8 bytes for each node remain.
[[nodiscard]] Dominators find_dominators(const Graph& graph, const graph::EdgeSet& edges,
                                         Unreached unreached);

/// The nodes that each node dominates immediately. Owns its columns: 8 bytes for each node.
class DominatedNodes {
 public:
  explicit DominatedNodes(const Dominators& dominators);

  /// In increasing order.
  [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t node) const {
    return std::span(nodes_).subspan(first_[node], first_[std::size_t{node} + 1] - first_[node]);
  }

 private:
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> nodes_;
};

}  // namespace heapcheck::analyze
