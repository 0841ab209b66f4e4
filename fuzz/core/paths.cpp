// Property: in any graph, every path that is found leads from the root to the node along edges, the first
// path is a shortest path, and the number of merged paths is the number of reachable nodes. The first byte
// determines the number of nodes and the node. The other bytes are pairs of the source and the target of an
// edge.
#include "analyze/paths.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "fuzz/support/made_graph.hpp"
#include "fuzz/support/property.hpp"
#include "graph/breadth_first.hpp"

using namespace heapcheck;
using fuzz::require;
using graph::ShortestPaths;

namespace {

/// Whether `from` has that edge to `to`.
bool has_edge(const Graph& graph, std::uint32_t from, const PathStep& to) {
  const Node node = graph.node(from);
  return std::ranges::any_of(node.edges(), [&](const Edge& edge) {
    return edge.index() == to.edge && edge.target() == to.node && !edge.kind().is_weak;
  });
}

void require_paths(const Graph& graph, const ShortestPaths& shortest, std::uint32_t node) {
  const auto paths = analyze::find_paths(graph, node, 10);
  const bool is_reached = shortest.distance[node] != ShortestPaths::unreached;
  require(!paths.empty() == is_reached, "there is a path if the node can be reached");
  require(paths.empty() || paths[0].size() == shortest.distance[node] + 1, "the first path is a shortest");
  for (const auto& path : paths) {
    require(path.front().node == 0 && path.back().node == node, "a path leads from the root to the node");
    require(path.size() > shortest.distance[node], "no path is shorter than the shortest");
    for (std::size_t i = 1; i < path.size(); ++i)
      require(has_edge(graph, path[i - 1].node, path[i]), "a path consists of edges");
  }
}

void require_merged(const Graph& graph, const ShortestPaths& shortest) {
  std::vector<std::uint32_t> wanted(graph.node_count());
  std::iota(wanted.begin(), wanted.end(), 0U);
  const auto reached = std::ranges::count_if(
      shortest.distance, [](std::uint32_t distance) { return distance != ShortestPaths::unreached; });
  require(
      analyze::merge_paths(graph, shortest, wanted, 0).front().ends == static_cast<std::uint64_t>(reached),
      "each node that can be reached has a path");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::uint32_t count = data[0] % 64 + 1U;
  const std::span<const std::uint8_t> edges(data + 1, std::min<std::size_t>(size - 1, 512));
  for (const bool is_v8 : {false, true}) {
    const Graph graph = fuzz::make_graph(count, edges, is_v8);
    const ShortestPaths shortest = graph::find_shortest_paths(graph, graph::WeakEdges::left_out);
    require_paths(graph, shortest, data[0] % graph.node_count());
    require_merged(graph, shortest);
  }
  return 0;
}
