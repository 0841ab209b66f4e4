// Shortest paths from the root of a graph to every node.
#pragma once

#include <cstdint>
#include <vector>

#include "heapcheck/graph.hpp"

namespace heapcheck::graph {

/// How far nodes are from the root, and how one gets there: columns, one row a node.
struct ShortestPaths {
  static constexpr std::uint32_t unreached = UINT32_MAX;
  static constexpr std::uint64_t no_edge = UINT64_MAX;

  std::vector<std::uint32_t> distance;  ///< in edges; `unreached` where no path leads there
  std::vector<std::uint32_t> parent;    ///< the node before it on the path; `unreached` where there is none
  std::vector<std::uint64_t>
      parent_edge;  ///< the edge out of it; `no_edge` for the root and where no path is
};

enum class WeakEdges : std::uint8_t { followed, left_out };

/// Of paths that are equally short, the one that takes earlier edges first. Linear in nodes and edges; needs
/// 20 bytes a node.
[[nodiscard]] ShortestPaths find_shortest_paths(const Graph& graph,
                                                WeakEdges weak_edges = WeakEdges::followed);

}  // namespace heapcheck::graph
