#include "analyze/reverse_edges.hpp"

namespace heapcheck::analyze {

/// Counts the edges to each node first, because the counts determine the positions of the sources.
ReverseEdges::ReverseEdges(const Graph& graph, const graph::EdgeSet& edges)
    : first_(std::size_t{graph.node_count()} + 1) {
  for (std::uint64_t edge = 0; edge < graph.edge_count(); ++edge) {
    if (edges.has(edge)) ++first_[graph.edge_target[static_cast<std::size_t>(edge)]];
  }
  std::uint64_t end = 0;
  for (std::uint64_t& first : first_) first = end += first;
  sources_.resize(static_cast<std::size_t>(end));
  // Each entry is now the end of its node's sources, and is moved to the beginning of these sources.
  for (std::uint32_t node = graph.node_count(); node-- > 0;) {
    for (std::uint64_t edge = graph.first_edge[std::size_t{node} + 1]; edge-- > graph.first_edge[node];) {
      if (!edges.has(edge)) continue;
      std::uint64_t& place = first_[graph.edge_target[static_cast<std::size_t>(edge)]];
      sources_[static_cast<std::size_t>(--place)] = node;
    }
  }
}

}  // namespace heapcheck::analyze
