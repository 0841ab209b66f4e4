#include "graph/retention.hpp"

#include <algorithm>

#include "analyze/dominators.hpp"
#include "graph/breadth_first.hpp"
#include "heapcheck/heap.hpp"
#include "tests/support/graphs.hpp"
#include "tests/support/v8_graphs.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

using Sizes = std::vector<std::uint64_t>;
constexpr std::uint32_t lost = graph::no_distance;
constexpr std::uint32_t system_root = graph::system_distance;

Sizes find_retained(const Graph& graph) {
  const auto dominators =
      analyze::find_dominators(graph, graph::find_retaining_edges(graph), analyze::Unreached::held_by_root);
  return analyze::find_retained_sizes(dominators, graph::find_counted_sizes(graph));
}

/// The sum of all values, each multiplied by the number of its row, counted from 1.
template <class Values>
std::uint64_t sum_of(const Values& values) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += (i + 1) * values[i];
  return sum;
}

const std::string entry = " / part of key (Key @11) -> value (Value @13) pair in WeakMap (table @9)";

}  // namespace

TEST_CASE("every rule of DevTools for what retains has its effect", "[graph][retention]") {
  const std::vector<MadeNode> nodes{{"synthetic", "", 0},           {"synthetic", "(GC roots)", 0},
                                    {"object", "Window", 10},       {"array", "(map descriptors)", 20},
                                    {"object", "WeakMap", 30},      {"object", "Key", 40},
                                    {"object", "Value", 50},        {"hidden", "system / NativeContext", 60},
                                    {"hidden", "system / Map", 70}, {"string", "text", 80},
                                    {"array", "elements", 90},      {"object", "Lost", 100},
                                    {"object", "Lost", 110},        {"object", "Lost", 120}};
  const std::vector<MadeEdge> edges{
      {0, "element", "1", 1},    {0, "shortcut", "a", 2},         {1, "element", "1", 7},
      {1, "element", "2", 3},    {1, "element", "3", 2},          {2, "internal", "a", 10},
      {2, "property", "a", 4},   {2, "property", "a", 5},         {2, "weak", "a", 11},
      {2, "internal", "a", 3},   {2, "property", "a", 2},         {3, "internal", "3", 9},
      {3, "internal", "4", 8},   {3, "element", "7", 8},          {4, "internal", "2" + entry, 6},
      {5, "shortcut", "a", 9},   {5, "internal", "1" + entry, 6}, {7, "property", "sloppy_function_map", 8},
      {7, "property", "a", 4},   {7, "property", "a", 8},         {10, "element", "0", 9},
      {12, "property", "a", 13}, {13, "property", "a", 12}};
  const Graph graph = make_v8_graph(nodes, edges);
  // The figures are from DevTools, for a snapshot with these nodes and edges.
  CHECK(graph::find_counted_sizes(graph) ==
        GraphColumn{0, 0, 100, 20, 30, 40, 50, 60, 70, 80, 0, 100, 110, 120});
  CHECK(find_retained(graph) == Sizes{780, 60, 390, 90, 30, 90, 50, 60, 70, 80, 0, 100, 110, 120});
  CHECK(graph::find_distances(graph) == std::vector<std::uint32_t>{system_root, system_root + 1, 1, 2, 2, 2,
                                                                   3, system_root + 2, system_root + 3, 3, 2,
                                                                   lost, lost, lost});
}

TEST_CASE("kinds of edges that no edge can have are ignored", "[graph][retention]") {
  const std::vector<MadeNode> nodes{{"synthetic", "", 0}, {"object", "A", 1}, {"object", "B", 2}};
  Graph graph = make_v8_graph(nodes, {{0, "property", "a", 1}, {1, "property", "b", 2}});
  graph.edge_kinds.resize(5000);  // a file may name any number of types
  CHECK(find_retained(graph) == Sizes{3, 3, 2});
}

TEST_CASE("a node that only a shortcut leads to is unreachable", "[graph][retention]") {
  const std::vector<MadeNode> nodes{{"synthetic", "", 0}, {"object", "A", 1}, {"object", "B", 1}};
  const Heap heap(make_v8_graph(nodes, {{0, "property", "a", 1}, {1, "shortcut", "b", 2}}));
  CHECK(heap.find_unreachable() == std::vector<std::uint32_t>{2});
}

TEST_CASE("all figures for seeds are those of DevTools", "[graph][retention]") {
  struct Expected {
    std::string seed;
    std::uint64_t distances;
    std::uint64_t sizes;
    std::uint64_t retained;
  };
  // From tests/compare/devtools.py, for the seeds that DevTools can load.
  const Expected all[] = {{"chrome-120-stacks.heaptimeline", 1572000143689, 2293856, 5503676},
                          {"chrome-156.heapsnapshot", 21242908425401, 1075653, 1676072},
                          {"chrome-64.heapsnapshot", 1896400137807, 4087776, 8076456},
                          {"deep.heaptimeline", 300000013, 320, 512},
                          {"node-10.heapsnapshot", 1527500146803, 15020208, 18109344},
                          {"node-16.heapsnapshot", 3249400124243, 4411244, 9383724},
                          {"node-20.heaptimeline", 1950300130818, 4957240, 9705376},
                          {"node-22-numeric.heapsnapshot", 67684, 2742736, 4183616},
                          {"other-engine.heapsnapshot", 100000002, 32, 48}};
  for (const Expected& expected : all) {
    CAPTURE(expected.seed);
    const auto graph = graph::make_graph(read_snapshot(read_snapshot_seed(expected.seed)).snapshot, Limits{});
    REQUIRE(graph);
    CHECK(sum_of(graph::find_distances(*graph)) == expected.distances);
    CHECK(sum_of(graph::find_counted_sizes(*graph)) == expected.sizes);
    CHECK(sum_of(find_retained(*graph)) == expected.retained);
  }
}

TEST_CASE("only names of WeakMap entries are parsed as such", "[graph][retention]") {
  const std::string name = "12" + entry;
  const auto found = graph::parse_ephemeron(name);
  REQUIRE(found);
  CHECK(found->entry == entry);
  CHECK(found->table == 9);
  CHECK(graph::parse_ephemeron(
      "1 / part of key ( @1) -> value (a @2) -> value (b @3) pair in WeakMap (table @4)"));
  for (const char* other : {"", "1", "1 / part of key (", "1 / part of key () pair in WeakMap (table @1)",
                            "1 / part of key (K @1) -> value (V @2) pair in WeakMap (table @)",
                            "1 / part of key (K @1) -> value (V @2) pair in WeakMap (table @3",
                            "1 / part of key (K @1) -> value (V @) pair in WeakMap (table @3)",
                            "1 / part of key (K 1) -> value (V @2) pair in WeakMap (table @3)",
                            "1 / part of key (K @1) -> value(V @2) pair in WeakMap (table @3)",
                            "1 / part of key (@1) -> value (V @2) pair in WeakMap (table @3)"})
    CHECK_FALSE(graph::parse_ephemeron(other));
  CHECK_FALSE(graph::parse_ephemeron(entry));
}

TEST_CASE("in other formats, every reference retains its target", "[graph][retention]") {
  Graph graph = make_graph_of({{1, 0, 2}, {2, 3}, {}, {}, {1}}, {3});
  graph.node_size = {1, 2, 3, 4, 5};
  const graph::EdgeSet edges = graph::find_retaining_edges(graph);
  for (std::uint64_t edge = 0; edge < graph.edge_count(); ++edge)
    CHECK(edges.has(edge) == !Edge(graph, edge).kind().is_weak);
  CHECK(graph::find_counted_sizes(graph) == graph.node_size);
  CHECK(graph::find_distances(graph) == std::vector<std::uint32_t>{0, 1, 1, lost, lost});
}

TEST_CASE("the root holds what nothing reaches in the snapshots of every engine", "[graph][retention]") {
  // The schema has no edges of type shortcut, as in files from Julia. Node 1 leads to node 2.
  const std::string text = make_snapshot("1,0,1,0,0, 0,1,3,5,1, 0,2,5,7,0", "1,0,10", R"("","a","b")");
  const auto graph = graph::make_graph(read_snapshot(text).snapshot, Limits{});
  REQUIRE(graph);
  const Heap heap(*graph);
  CHECK(std::ranges::equal(heap.retained_sizes(), Sizes{12, 12, 7}));
  CHECK(heap.dominator_of(1) == 0);
  CHECK(heap.find_unreachable() == std::vector<std::uint32_t>{1, 2});
}
