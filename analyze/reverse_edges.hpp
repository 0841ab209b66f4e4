// The edges of a graph by target, to follow them backwards. Owns its columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/node_set.hpp"
#include "heapcheck/types/graph.hpp"

namespace heapcheck::analyze {

/// The sources of the edges to each node. An edge takes 4 bytes, which is half the size of its index. To name
/// the edges, look through the edges of the source.
class ReverseEdges {
 public:
  /// Leaves out the edges that are not in `edges`. Takes time linear in the number of nodes and edges, and
  /// uses 8 bytes for each node.
  ReverseEdges(const Graph& graph, const graph::EdgeSet& edges);

  /// The nodes with edges to `node`, in increasing order. A node with several edges occurs several times.
  [[nodiscard]] std::span<const std::uint32_t> sources_of(std::uint32_t node) const {
    const auto first = static_cast<std::size_t>(first_[node]);
    return std::span(sources_).subspan(first,
                                       static_cast<std::size_t>(first_[std::size_t{node} + 1]) - first);
  }

 private:
  std::vector<std::uint64_t> first_;
  std::vector<std::uint32_t> sources_;
};

}  // namespace heapcheck::analyze
