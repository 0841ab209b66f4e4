#include "graph/breadth_first.hpp"

namespace heapcheck::graph {

ShortestPaths find_shortest_paths(const Graph& graph, WeakEdges weak_edges) {
  const std::uint32_t count = graph.node_count();
  ShortestPaths paths{.distance = std::vector(count, ShortestPaths::unreached),
                      .parent = std::vector(count, ShortestPaths::unreached),
                      .parent_edge = std::vector(count, ShortestPaths::no_edge)};
  if (count == 0) return paths;
  std::vector<std::uint32_t> found;  // in the order in which they were found: by increasing distance
  found.reserve(count);
  found.push_back(0);
  paths.distance[0] = 0;
  for (std::size_t next = 0; next < found.size(); ++next) {
    const std::uint32_t from = found[next];
    for (const Edge edge : graph.node(from).edges()) {
      const std::uint32_t target = edge.target();
      if (paths.distance[target] != ShortestPaths::unreached) continue;
      if (weak_edges == WeakEdges::left_out && edge.kind().is_weak) continue;
      paths.distance[target] = paths.distance[from] + 1;
      paths.parent[target] = from;
      paths.parent_edge[target] = edge.index();
      found.push_back(target);
    }
  }
  return paths;
}

}  // namespace heapcheck::graph
