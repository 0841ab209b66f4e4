// The dominator tree of a graph, the order of its nodes, and the amount of memory that each node retains.
// The input is a graph and the edges to follow. Results own their columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/node_set.hpp"
#include "heapcheck/types/graph.hpp"

namespace heapcheck::analyze {

/// How to treat nodes to which no path leads.
enum class Unreached : std::uint8_t {
  left_out,  ///< they have no dominator
  /// The root dominates them. As in DevTools, the root counts as having an edge to each node without incoming
  /// edges.
  held_by_root,
};

/// A node dominates another if every path from the root to the other leads through it. The immediate
/// dominator is the one that is dominated by all other dominators.
struct Dominators {
  static constexpr std::uint32_t none = UINT32_MAX;

  /// The immediate dominator of each node; `none` for the root and for nodes that are left out.
  std::vector<std::uint32_t> dominator;
  /// All nodes that are not left out, starting with the root, each after its dominator.
  std::vector<std::uint32_t> order;
};

/// Only follows `edges`. Uses the Semi-NCA algorithm: L. Georgiadis, "Linear-Time Algorithms for Dominators
/// and Related Problems" (thesis, Princeton, 2005). Does not use recursion. Uses 20 bytes for each node, of
/// which 8 bytes are for the result, and 4 bytes for each edge that leads back in a depth-first search.
[[nodiscard]] Dominators find_dominators(const Graph& graph, const graph::EdgeSet& edges,
                                         Unreached unreached);

/// The nodes that each node dominates immediately. Owns its columns, which take 8 bytes for each node.
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

/// For each node, the size in bytes of all nodes that it dominates, including itself. This is the memory that
/// would be freed with the node. 0 for nodes that are left out. `sizes` has one row for each node. A sum of
/// 2^64 or more counts as 2^64 - 1.
[[nodiscard]] std::vector<std::uint64_t> find_retained_sizes(const Dominators& dominators,
                                                             const GraphColumn& sizes);

/// The dominator tree of a graph according to the rules of its format, and the memory that its nodes retain.
struct Retention {
  graph::EdgeSet edges;  ///< the edges that retain their targets
  Dominators dominators;
  GraphColumn sizes;                    ///< the size of each node as included in retained sizes, in bytes
  std::vector<std::uint64_t> retained;  ///< the retained size of each node in bytes
};

/// spec: analysis.md
[[nodiscard]] Retention find_retention(const Graph& graph);

/// Whether the graph has nodes for MoarVM's inter-generational roots.
[[nodiscard]] bool has_collector_roots(const Graph& graph);
/// The same without the references of the inter-generational roots, to which MoarVM adds old objects that
/// refer to new ones. With them, the root would dominate most of the memory that a program retains. Nodes
/// that only they lead to count as dominated by the root. spec: analysis.md#suspects
[[nodiscard]] Retention find_program_retention(const Graph& graph);

/// Columns of the same length, with one row for each node of the tree.
struct Preorder {
  /// The nodes, each followed by all nodes that it dominates.
  std::vector<std::uint32_t> nodes;
  /// For each of these nodes, the place in `nodes` after the last node that it dominates.
  std::vector<std::uint32_t> end;
};

/// Takes time linear in the number of nodes. Uses 16 bytes for each node, of which 8 are for the result.
[[nodiscard]] Preorder find_preorder(const Dominators& dominators);

}  // namespace heapcheck::analyze
