#include "analyze/paths.hpp"

#include <set>

#include "heapcheck/ask.hpp"
#include "heapcheck/heap.hpp"
#include "tests/analyze/graphs.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

using Nodes = std::vector<std::uint32_t>;

Nodes nodes_of(const std::vector<PathStep>& path) {
  Nodes nodes;
  for (const PathStep& step : path) nodes.push_back(step.node);
  return nodes;
}

std::vector<Nodes> find_paths(const Graph& graph, std::uint32_t node, std::size_t most) {
  std::vector<Nodes> found;
  for (const auto& path : analyze::find_paths(graph, node, most)) found.push_back(nodes_of(path));
  return found;
}

/// Whether each step leads from the node before it and no node occurs twice.
bool is_simple_path(const Graph& graph, const std::vector<PathStep>& path) {
  std::set<std::uint32_t> seen;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (!seen.insert(path[i].node).second || path[i].edge.has_value() == (i == 0)) return false;
    if (i == 0) continue;
    const std::uint64_t edge = *path[i].edge;
    const std::uint32_t before = path[i - 1].node;
    if (graph.edge_target[edge] != path[i].node) return false;
    if (edge < graph.first_edge[before] || edge >= graph.first_edge[before + 1]) return false;
  }
  return path.front().node == 0;
}

/// Whether the path has two adjacent nodes that are not adjacent in earlier paths. Adds all its adjacent
/// pairs to `seen`.
bool adds_neighbours(std::set<std::pair<std::uint32_t, std::uint32_t>>& seen,
                     const std::vector<PathStep>& path) {
  bool adds = path.size() == 1;
  for (std::size_t i = 1; i < path.size(); ++i) adds |= seen.emplace(path[i - 1].node, path[i].node).second;
  return adds;
}

/// A list of `length` nodes that starts at the root, and whose last node leads to node `length + count`
/// through each of `count` nodes.
Graph make_list(std::uint32_t length, std::uint32_t count) {
  EdgeLists edges(length + count + 1);
  for (std::uint32_t i = 0; i + 1 < length; ++i) edges[i] = {i + 1};
  for (std::uint32_t i = 0; i < count; ++i) {
    edges[length - 1].push_back(length + i);
    edges[length + i] = {length + count};
  }
  return make_graph_of(edges);
}

}  // namespace

TEST_CASE("several paths to a node differ, and the shortest comes first", "[analyze][paths]") {
  //     0 -> 1 -> 3 -> 4, 0 -> 2 -> 3, 2 -> 4, and 4 -> 2
  const Graph graph = make_graph_of({{1, 2}, {3}, {3, 4}, {4}, {2}});
  CHECK(find_paths(graph, 4, 9) == std::vector<Nodes>{{0, 2, 4}, {0, 1, 3, 4}, {0, 2, 3, 4}});
  CHECK(find_paths(graph, 4, 2) == std::vector<Nodes>{{0, 2, 4}, {0, 1, 3, 4}});
  CHECK(find_paths(graph, 2, 9) == std::vector<Nodes>{{0, 2}, {0, 1, 3, 4, 2}});
  CHECK(find_paths(graph, 0, 9) == std::vector<Nodes>{{0}});
}

TEST_CASE("repeated edges, weak edges and unreachable nodes make no further path", "[analyze][paths]") {
  CHECK(find_paths(make_graph_of({{1, 1}, {}}), 1, 9) == std::vector<Nodes>{{0, 1}});
  CHECK(find_paths(make_graph_of({{1}, {}, {1}}), 1, 9) == std::vector<Nodes>{{0, 1}});
  CHECK(find_paths(make_graph_of({{1}, {}, {1}}), 2, 9).empty());
  CHECK(find_paths(make_graph_of({{1, 2}, {3}, {3}, {}}, {2}), 3, 9) == std::vector<Nodes>{{0, 1, 3}});
}

TEST_CASE("a path leads over no weak edge", "[analyze][paths]") {
  const Heap heap(make_graph_of({{1, 2}, {3}, {4}, {}, {3}}, {1}));
  CHECK(nodes_of(heap.path_to(3)) == Nodes{0, 2, 4, 3});
  CHECK(heap.path_to(1).empty());
}

TEST_CASE("all paths lead from the root to the node without loops", "[analyze][paths]") {
  std::mt19937 random(3);
  std::size_t several = 0;
  for (std::uint32_t round = 0; round < 2000; ++round) {
    const auto count = static_cast<std::uint32_t>(1 + random() % 20);
    const auto more = static_cast<std::uint32_t>(random() % (2 * count));
    const Graph graph = make_graph_of(make_edges(shapes[round % std::size(shapes)], count, more, random));
    const auto shortest = graph::find_shortest_paths(graph, graph::WeakEdges::left_out);
    CAPTURE(round);
    for (std::uint32_t node = 0; node < count; ++node) {
      const auto paths = analyze::find_paths(graph, node, 8);
      several += paths.size() > 1 ? 1 : 0;
      REQUIRE(paths.empty() == (shortest.distance[node] == graph::ShortestPaths::unreached));
      std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
      for (std::size_t i = 0; i < paths.size(); ++i) {
        REQUIRE(is_simple_path(graph, paths[i]));
        REQUIRE(paths[i].back().node == node);
        REQUIRE(adds_neighbours(seen, paths[i]));
        REQUIRE((i == 0 ? paths[0].size() == shortest.distance[node] + 1
                        : paths[i].size() >= paths[i - 1].size()));
      }
    }
  }
  CHECK(several > 1000);
}

TEST_CASE("each node that holds a node and can be reached without it has a path", "[analyze][paths]") {
  std::mt19937 random(4);
  for (std::uint32_t round = 0; round < 500; ++round) {
    const Graph graph = make_graph_of(make_edges(shapes[round % std::size(shapes)], 12, 20, random));
    const auto node = static_cast<std::uint32_t>(1 + random() % 11);
    const graph::NodeSet reached = find_reached_without(graph, node);
    std::set<std::uint32_t> holders;
    for (const Node& holder : graph.nodes()) {
      for (const Edge edge : holder.edges())
        if (edge.target() == node && reached.has(holder.index())) holders.insert(holder.index());
    }
    std::set<std::uint32_t> found;
    for (const Nodes& path : find_paths(graph, node, 100)) found.insert(path[path.size() - 2]);
    CAPTURE(round);
    REQUIRE(found == holders);
  }
}

TEST_CASE("a long list has many short detours", "[analyze][paths]") {
  std::mt19937 random(1);
  const Graph graph = make_graph_of(make_edges(Shape::forward, 200'000, 200'000, random));
  CHECK(find_paths(graph, 199'999, 100).size() == 100);
}

TEST_CASE("paths through a long list are fewer, so that they fit in memory", "[analyze][paths]") {
  CHECK(analyze::find_paths(make_list(10, 5), 15, 9, 36).size() == 3);  // 12 steps each
  CHECK(analyze::find_paths(make_list(10, 5), 15, 9, 1).size() == 1);
  const LoadedHeap heap{.heap = Heap(make_list(1'000, 400)), .format = Format::v8_heapsnapshot};
  const auto ask_for = [&](std::uint64_t count) {
    return ask(heap, "path", {{"id", "row:1400"}, {"paths", count}}).value();
  };
  const Answer answer = ask_for(400);
  CHECK(answer.table.rows.size() == 250);  // 1,002 nodes each, and 250,000 in total
  REQUIRE(answer.remarks.size() == 1);
  CHECK(answer.remarks[0].text == "shows only 250 of up to 400 paths, which already have 250,500 nodes");
  CHECK(ask_for(250).remarks.empty());
}

TEST_CASE("the search for several paths can be stopped at each node", "[analyze][paths]") {
  const LoadedHeap heap{.heap = Heap(make_list(1'000, 2)), .format = Format::v8_heapsnapshot};
  std::uint64_t calls = 0;
  const StopScope scope([&] { return ++calls == 500; });
  const auto answer = ask(heap, "path", {{"id", "row:1002"}, {"paths", std::uint64_t{2}}});
  REQUIRE(!answer);
  CHECK(answer.error().kind == ErrorKind::timeout);
}

TEST_CASE("merged paths count how many paths lead through a place", "[analyze][paths]") {
  // The root holds 1 and 2, which hold 3, 4 and 5; 6 is below 5, and 7 is unreachable.
  const Heap heap(make_graph_of({{1, 2}, {3, 4}, {5}, {}, {}, {6}, {}, {}}));
  const std::vector<std::uint32_t> wanted{3, 4, 6, 7};
  const auto rows = heap.merge_paths(wanted, 0);
  REQUIRE(rows.size() == 4);  // places with the same type and edges share a row
  CHECK(rows[0].ends == 3);
  CHECK(!rows[0].edge);
  CHECK(rows[1].count == 2);
  CHECK(rows[1].ends == 3);
  CHECK(rows[2].count == 3);
  CHECK(rows[2].depth == 2);
  CHECK(rows[3].count == 1);
  CHECK(rows[3].ends == 1);
  CHECK(heap.merge_paths(wanted, 1).size() == 2);
  CHECK(heap.merge_paths({}, 0).size() == 1);
  CHECK(Heap(make_graph_of({})).merge_paths({}, 0).empty());
}

TEST_CASE("merged paths over edges of different names are different places", "[analyze][paths]") {
  Graph graph = make_graph_of({{1, 2, 3}, {}, {}, {}});
  graph.edge_name[0] = graph.edge_name[2] = graph.texts.add("left");
  graph.edge_name[1] = graph.texts.add("right");
  const std::vector<std::uint32_t> wanted{1, 2, 3};
  const auto rows = Heap(std::move(graph)).merge_paths(wanted, 0);
  REQUIRE(rows.size() == 3);
  CHECK(rows[1].edge == "left");
  CHECK(rows[1].count == 2);
  CHECK(rows[2].edge == "right");
  CHECK(rows[2].count == 1);
}
