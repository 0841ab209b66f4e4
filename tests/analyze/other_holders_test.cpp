#include "analyze/answers/other_holders.hpp"

#include <span>
#include <string>
#include <vector>

#include "analyze/heap.hpp"
#include "tests/support/graphs.hpp"
#include "tests/support/v8_graphs.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

std::string describe(Graph graph, const std::vector<std::uint32_t>& nodes) {
  const analyze::Heap heap(std::move(graph));
  Suspect suspect;
  for (const std::uint32_t node : nodes) suspect.path.push_back({.node = node, .edge = {}});
  return analyze::answers::OtherHolders(heap, std::span(&suspect, 1)).describe(suspect.path);
}

const std::vector<MadeNode> nodes{
    {"synthetic", "", 0},  {"object", "Window", 10}, {"object", "Registry", 10}, {"array", "", 10},
    {"object", "Key", 10}, {"object", "Value", 10},  {"object", "Cache", 10}};
const std::string entry = "2 / part of key (Key @9) -> value (Value @11) pair in WeakMap (table @7)";

}  // namespace

TEST_CASE("the table of a WeakMap is no other holder of a value", "[analyze][suspects]") {
  const Graph graph = make_v8_graph(nodes, {{0, "shortcut", "1", 1},
                                            {1, "property", "registry", 2},
                                            {1, "property", "key", 4},
                                            {1, "property", "cache", 6},
                                            {2, "internal", "table", 3},
                                            {3, "internal", entry, 5},
                                            {4, "internal", entry, 5},
                                            {6, "property", "value", 5}});
  CHECK(describe(graph, {0, 1, 4, 5}) == "Value @11 is also held by Cache @13 through value\n");
}

TEST_CASE("what only a root also holds is skipped", "[analyze][suspects]") {
  const Graph graph = make_v8_graph(nodes, {{0, "shortcut", "1", 1},
                                            {0, "element", "2", 5},
                                            {1, "property", "registry", 2},
                                            {1, "property", "cache", 6},
                                            {2, "property", "key", 4},
                                            {4, "property", "value", 5},
                                            {5, "property", "key", 4},
                                            {6, "property", "key", 4},
                                            {6, "property", "again", 4}});
  // Value holds Key, too, and does not depend on it.
  CHECK(describe(graph, {0, 1, 2, 4, 5}) == "Key @9 is also held by Value @11 through key, and 1 other\n");
  CHECK(describe(graph, {0, 1, 2}).empty());
}

TEST_CASE("the collector's roots make no other holders", "[analyze][suspects]") {
  // The inter-generational roots (1) lead to 4, which 3 holds and which refers back to it.
  Graph graph = make_graph_of({{1, 2}, {4}, {3}, {4}, {3}});
  graph.node_kinds.push_back({.name = "inter-generational roots", .group = NodeGroup::root});
  graph.node_kind[1] = 1;
  CHECK(describe(graph, {0, 2, 3}).empty());
}
