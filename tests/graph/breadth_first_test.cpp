#include "graph/breadth_first.hpp"

#include "graph/reach.hpp"
#include "graph/retention.hpp"
#include "tests/support/graphs.hpp"
#include "tests/support/v8_graphs.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;
using graph::ShortestPaths;

namespace {

constexpr std::uint32_t never = ShortestPaths::unreached;
constexpr std::uint64_t none = ShortestPaths::no_edge;

}  // namespace

TEST_CASE("paths are as short as possible and take the first possible edge", "[graph][breadth-first]") {
  // Edges in order: 0: 0->1, 1: 0->2, 2: 1->3, 3: 2->3, 4: 2->4, 5: 3->0, 6: 4->4, 7: 4->5, 8: 6->5
  const Graph graph = make_graph_of({{1, 2}, {3}, {3, 4}, {0}, {4, 5}, {}, {5}});
  const ShortestPaths paths = graph::find_shortest_paths(graph);
  CHECK(paths.distance == std::vector<std::uint32_t>{0, 1, 1, 2, 2, 3, never});
  CHECK(paths.parent == std::vector<std::uint32_t>{never, 0, 0, 1, 2, 4, never});
  CHECK(paths.parent_edge == std::vector<std::uint64_t>{none, 0, 1, 2, 4, 7, none});
}

TEST_CASE("weak edges are left out on request", "[graph][breadth-first]") {
  // Every edge to node 2 is weak.
  const Graph graph = make_graph_of({{2, 1}, {2}, {3}, {}}, {2});
  CHECK(graph::find_shortest_paths(graph).distance == std::vector<std::uint32_t>{0, 1, 1, 2});
  CHECK(graph::find_shortest_paths(graph, graph::WeakEdges::left_out).distance ==
        std::vector<std::uint32_t>{0, 1, never, never});
}

TEST_CASE("paths in seeds lead from the root along existing edges", "[graph][breadth-first]") {
  for (const Graph& graph : read_seed_graphs()) {
    const ShortestPaths paths = graph::find_shortest_paths(graph);
    auto edges = edges_of(graph);
    const graph::NodeSet reached = graph::find_reachable(edges);
    std::uint64_t wrong = 0;
    for (std::uint32_t node = 1; node < graph.node_count(); ++node) {
      const bool has_path = paths.distance[node] != never;
      wrong += has_path == reached.has(node) ? 0 : 1;
      if (!has_path) continue;
      const std::uint32_t parent = paths.parent[node];
      const Edge edge(graph, paths.parent_edge[node]);
      const bool is_out_of_parent =
          graph.first_edge[parent] <= edge.index() && edge.index() < graph.first_edge[parent + 1];
      wrong += is_out_of_parent && edge.target() == node ? 0 : 1;
      wrong += paths.distance[parent] + 1 == paths.distance[node] ? 0 : 1;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("a path leads through the handles of a running compilation only if there is no other",
          "[graph][breadth-first]") {
  const std::string momentary = GENERATE("(Handle scope)", "(Identity map)");
  const Graph graph = make_v8_graph({{"synthetic", "", 0},
                                     {"synthetic", "(GC roots)", 0},
                                     {"synthetic", momentary, 0},
                                     {"synthetic", "(Global handles)", 0},
                                     {"object", "Shop", 10},
                                     {"object", "Map", 10},
                                     {"object", "Code", 10}},
                                    {{0, "element", "1", 1},
                                     {1, "element", "1", 2},
                                     {1, "element", "2", 3},
                                     {2, "internal", "1", 5},
                                     {2, "internal", "2", 6},
                                     {3, "internal", "1", 4},
                                     {4, "property", "sessions", 5}});
  graph::NodeSet ends(graph.node_count());
  ends.add(5);
  ends.add(6);
  graph::NodeSet suspects(graph.node_count());
  if (GENERATE(false, true)) suspects.add(4);
  const auto paths =
      graph::find_program_paths(graph, graph::find_retaining_edges(graph),
                                {.young = graph::NodeSet(graph.node_count()), .suspects = suspects}, ends);
  CHECK(paths.parent[5] == 4);
  CHECK(paths.parent[6] == 2);
}
