#include "graph/held_by.hpp"

#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/v8_graphs.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;
using Ids = std::vector<std::uint64_t>;

TEST_CASE("the callbacks of event listeners are found by name or number", "[graph][v8][detached]") {
  const Graph graph = make_v8_graph({{"synthetic", "", 0},
                                     {"native", "V8EventListener", 8},
                                     {"native", "V8EventListener", 8},
                                     {"native", "V8EventListener", 8},
                                     {"object", "callback", 8},
                                     {"object", "other", 8},
                                     {"closure", "handler", 8},
                                     {"closure", "second", 8},
                                     {"code", "code", 8}},
                                    {{0, "element", "1", 1},
                                     {0, "element", "2", 2},
                                     {0, "element", "3", 3},
                                     {1, "element", "11", 5},
                                     {1, "element", "1", 4},
                                     {2, "internal", "1", 4},
                                     {3, "internal", "01", 5},
                                     {4, "property", "a", 5},
                                     {4, "property", "b", 6},
                                     {4, "property", "c", 7},
                                     {6, "internal", "code", 8}});
  const graph::NodeSet held = graph::find_held(graph, graph::HeldBy::event_handlers);
  Ids nodes;
  for (std::uint32_t node = 0; node < graph.node_count(); ++node) {
    if (held.has(node)) nodes.push_back(node);
  }
  CHECK(nodes == Ids{6, 8});
}
