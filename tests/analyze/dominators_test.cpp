#include "analyze/dominators.hpp"

#include <numeric>

#include "tests/analyze/graphs.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;
using analyze::Dominators;
using analyze::Unreached;

namespace {

constexpr std::uint32_t none = Dominators::none;
using Nodes = std::vector<std::uint32_t>;

Dominators dominators_of(const Graph& graph, Unreached unreached = Unreached::left_out) {
  return analyze::find_dominators(graph, all_edges(graph), unreached);
}

/// Finds dominators by the definition: a node dominates the nodes that cannot be reached without it, and a
/// node's immediate dominator is the dominator that itself has the most dominators.
Nodes find_slowly(const Graph& graph) {
  const graph::NodeSet reached = find_reached_without(graph, none);
  Nodes dominator(graph.node_count(), none);
  Nodes depth(graph.node_count(), 0);
  std::vector<graph::NodeSet> without;
  for (std::uint32_t i = 0; i < graph.node_count(); ++i) without.push_back(find_reached_without(graph, i));
  const auto dominates = [&](std::uint32_t a, std::uint32_t b) {
    return a != b && reached.has(a) && reached.has(b) && !without[a].has(b);
  };
  for (std::uint32_t a = 0; a < graph.node_count(); ++a)
    for (std::uint32_t b = 0; b < graph.node_count(); ++b) depth[b] += dominates(a, b) ? 1 : 0;
  for (std::uint32_t a = 0; a < graph.node_count(); ++a)
    for (std::uint32_t b = 0; b < graph.node_count(); ++b)
      if (dominates(a, b) && (dominator[b] == none || depth[a] > depth[dominator[b]])) dominator[b] = a;
  return dominator;
}

/// Finds retained sizes by the definition: the size of everything that cannot be reached without the node.
std::vector<std::uint64_t> find_sizes_slowly(const Graph& graph) {
  const graph::NodeSet reached = find_reached_without(graph, none);
  std::vector<std::uint64_t> retained(graph.node_count());
  for (std::uint32_t a = 0; a < graph.node_count(); ++a) {
    const graph::NodeSet without = find_reached_without(graph, a);
    for (std::uint32_t b = 0; b < graph.node_count(); ++b)
      if (reached.has(a) && reached.has(b) && !without.has(b)) retained[a] += graph.node_size[b];
  }
  return retained;
}

/// A chain of half the nodes, the last of which leads to all other nodes. A node near the root, at the given
/// distance, also leads to them, so it dominates them, and the way to it is the whole chain.
EdgeLists make_late_edges(std::uint32_t count, std::uint32_t distance) {
  EdgeLists edges(count);
  const std::uint32_t last = count / 2;
  for (std::uint32_t i = 0; i < last; ++i) edges[i].push_back(i + 1);
  for (std::uint32_t i = last + 1; i < count; ++i) {
    edges[last].push_back(i);
    edges[distance + i % 3].push_back(i);
  }
  return edges;
}

}  // namespace

TEST_CASE("each node has the nearest dominator", "[analyze][dominators]") {
  CHECK(dominators_of(make_graph_of({{}})).dominator == Nodes{none});
  CHECK(dominators_of(make_graph_of({{1, 2}, {3}, {3}, {}})).dominator == Nodes{none, 0, 0, 0});
  CHECK(dominators_of(make_graph_of({{1}, {2, 1}, {1, 3}, {}, {3}})).dominator == Nodes{none, 0, 1, 2, none});
  // The example from Lengauer and Tarjan's paper, with the root r = 0 and a = 1 to l = 12.
  const EdgeLists paper{{1, 2, 3}, {4},     {1, 4, 5}, {6, 7}, {12},   {8}, {9},
                        {9, 10},   {5, 11}, {11},      {9},    {9, 0}, {8}};
  CHECK(dominators_of(make_graph_of(paper)).dominator == Nodes{none, 0, 0, 0, 0, 0, 3, 3, 0, 0, 7, 0, 4});
}

TEST_CASE("dominators and retained sizes agree with their definition", "[analyze][dominators]") {
  std::mt19937 random(1);
  for (std::uint32_t round = 0; round < 3000; ++round) {
    const Shape shape = shapes[round % std::size(shapes)];
    const auto count = static_cast<std::uint32_t>(1 + random() % 24);
    const auto more = static_cast<std::uint32_t>(random() % (2 * count));
    Graph graph = make_graph_of(make_edges(shape, count, more, random));
    for (std::uint32_t i = 0; i < graph.node_count(); ++i) graph.node_size.set(i, random() % 100);
    const Dominators found = dominators_of(graph);
    CAPTURE(round);
    REQUIRE(found.dominator == find_slowly(graph));
    REQUIRE(analyze::find_retained_sizes(found, graph.node_size) == find_sizes_slowly(graph));
  }
}

TEST_CASE("the root may hold the nodes that no path leads to", "[analyze][dominators]") {
  // No edges lead to node 2, and nodes 4 and 5 only lead to each other and to node 1.
  Graph graph = make_graph_of({{1}, {}, {3, 1}, {}, {5, 1}, {4}});
  graph.node_size = {1, 2, 4, 8, 16, 32};
  const Dominators held = dominators_of(graph, Unreached::held_by_root);
  CHECK(held.dominator == Nodes{none, 0, 0, 2, 0, 0});
  CHECK(analyze::find_retained_sizes(held, graph.node_size) ==
        std::vector<std::uint64_t>{63, 2, 12, 8, 16, 32});
  const Dominators left_out = dominators_of(graph);
  CHECK(left_out.dominator == Nodes{none, 0, none, none, none, none});
  CHECK(analyze::find_retained_sizes(left_out, graph.node_size) ==
        std::vector<std::uint64_t>{3, 2, 0, 0, 0, 0});
}

TEST_CASE("edges that do not retain are not followed", "[analyze][dominators]") {
  const Graph graph = make_graph_of({{1, 2}, {2}, {}});
  graph::EdgeSet edges(graph.edge_count());
  edges.add(0);
  edges.add(2);
  CHECK(analyze::find_dominators(graph, edges, Unreached::left_out).dominator == Nodes{none, 0, 1});
}

TEST_CASE("long lists need no recursion", "[analyze][dominators]") {
  std::mt19937 random(1);
  const Graph graph = make_graph_of(make_edges(Shape::list, 300'000, 0, random));
  const Dominators found = dominators_of(graph);
  std::uint32_t wrong = 0;
  for (std::uint32_t i = 1; i < graph.node_count(); ++i) wrong += found.dominator[i] != i - 1 ? 1 : 0;
  CHECK(wrong == 0);
}

TEST_CASE("dominators far up the tree are found", "[analyze][dominators]") {
  for (std::uint32_t distance = 0; distance < 40; ++distance) {
    INFO(distance);
    const Graph graph = make_graph_of(make_late_edges(100, distance));
    CHECK(dominators_of(graph).dominator == find_slowly(graph));
  }
}

TEST_CASE("dominators far up the tree take no quadratic time", "[analyze][dominators]") {
  constexpr std::uint32_t count = 1'000'000;  // single steps would number 250,000,000,000
  const Dominators dominators = dominators_of(make_graph_of(make_late_edges(count, 0)));
  CHECK(dominators.dominator[count - 1] == (count - 1) % 3);
  CHECK(dominators.dominator[count / 2] == count / 2 - 1);
}

TEST_CASE("the sources of many edges are found", "[analyze][dominators]") {
  // The first node of each group of four leads to the last one through each of the two others.
  constexpr std::uint32_t groups = 200'000;
  EdgeLists edges(1 + 4 * groups);
  for (std::uint32_t first = 1; first < edges.size(); first += 4) {
    edges[0].push_back(first);
    edges[first] = {first + 1, first + 2};
    edges[first + 1] = edges[first + 2] = {first + 3};
  }
  const Dominators found = dominators_of(make_graph_of(edges));
  std::uint32_t wrong = 0;
  for (std::uint32_t first = 1; first < edges.size(); first += 4)
    wrong += found.dominator[first + 3] != first ? 1 : 0;
  CHECK(wrong == 0);
}

TEST_CASE("the sum of sizes does not wrap", "[analyze][dominators]") {
  const Graph graph = make_graph_of({{1, 2}, {}, {}});
  const GraphColumn sizes{1, UINT64_MAX - 1, 2};
  CHECK(analyze::find_retained_sizes(dominators_of(graph), sizes) ==
        std::vector<std::uint64_t>{UINT64_MAX, UINT64_MAX - 1, 2});
}

TEST_CASE("in preorder, each node is followed by those that it dominates", "[analyze][dominators]") {
  const analyze::Preorder found =
      analyze::find_preorder(dominators_of(make_graph_of({{3, 1, 2}, {4}, {}, {}, {}, {1}})));
  CHECK(found.nodes == Nodes{0, 3, 1, 4, 2});
  CHECK(found.end == Nodes{5, 2, 4, 4, 5});
  CHECK(analyze::find_preorder({}).nodes.empty());
}

TEST_CASE("the nodes that a node dominates are listed in increasing order", "[analyze][dominators]") {
  const analyze::DominatedNodes nodes(dominators_of(make_graph_of({{3, 1, 2}, {4}, {}, {}, {}, {1}})));
  const auto of = [&nodes](std::uint32_t node) {
    return Nodes(nodes.of(node).begin(), nodes.of(node).end());
  };
  CHECK(of(0) == Nodes{1, 2, 3});
  CHECK(of(1) == Nodes{4});
  CHECK(of(4).empty());
  CHECK(of(5).empty());
}

TEST_CASE("the root retains everything that can be reached in all seeds", "[analyze][dominators]") {
  for (const Graph& graph : read_seed_graphs()) {
    const auto retained = analyze::find_retained_sizes(dominators_of(graph), graph.node_size);
    const graph::NodeSet reached = find_reached_without(graph, none);
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < graph.node_count(); ++i) sum += reached.has(i) ? graph.node_size[i] : 0;
    CHECK(retained[0] == sum);
  }
}
