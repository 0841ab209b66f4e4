#include "graph/dom_states.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "analyze/growth.hpp"
#include "graph/make_graph.hpp"
#include "heapcheck/heap.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/heapsnapshots.hpp"
#include "tests/support/v8_graphs.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

// The ids in these tests are those that DevTools shows for the two seeds.
using Ids = std::vector<std::uint64_t>;

Graph read_page(const std::string& name = "page.heapsnapshot") {
  auto graph = graph::make_graph(read_snapshot(read_snapshot_seed(name)).snapshot, {});
  REQUIRE(graph);
  return std::move(*graph);
}

Ids find(const Heap& heap, std::string_view query) {
  const auto found = heap.find(query);
  REQUIRE(found);
  Ids ids;
  for (const std::uint32_t node : *found) ids.push_back(heap.graph().node_id[node]);
  return ids;
}

std::string name_of(const Graph& graph, std::uint64_t id) {
  return std::string(graph.node(static_cast<std::uint32_t>(id / 2)).name());
}

DomState state_of(const Graph& graph, std::uint64_t id) {
  return graph.node(static_cast<std::uint32_t>(id / 2)).dom_state();
}

}  // namespace

TEST_CASE("native nodes take over the states of native nodes that lead to them", "[graph][v8][detached]") {
  const Graph graph = read_page();
  CHECK(state_of(graph, 9) == DomState::attached);   // child of an attached node
  CHECK(state_of(graph, 15) == DomState::detached);  // child of a detached node
  CHECK(state_of(graph, 17) == DomState::attached);  // child of both
  CHECK(state_of(graph, 29) == DomState::attached);  // the file says so, although a detached node leads there
  CHECK(state_of(graph, 19) == DomState::unknown);   // in V8's heap
  CHECK(state_of(graph, 21) == DomState::unknown);   // only a node in V8's heap leads there
  CHECK(state_of(graph, 23) == DomState::unknown);   // after a weak edge
  CHECK(state_of(graph, 31) == DomState::unknown);   // after a hidden edge
  CHECK(find(Heap(graph), "detached") == Ids{13, 15, 27});
}

TEST_CASE("detached nodes are of a type of their own", "[graph][v8][detached]") {
  const Graph graph = read_page();
  CHECK(name_of(graph, 13) == "Detached <div>");
  CHECK(graph.node(6).type_name() == "Detached <div>");
  CHECK(name_of(graph, 15) == "Detached <span>");
  CHECK(name_of(graph, 17) == "<p>");
  CHECK(name_of(graph, 27) == "HTMLElement");  // detached, but not native
  CHECK(find(Heap(graph), "objects type='Detached <div>'") == Ids{13});
  CHECK(find(Heap(graph), "detached name~div") == Ids{13});
  CHECK(find(Heap(graph), "objects detached size>=104 by id") == Ids{15, 13});
}

TEST_CASE("without states, the names of native nodes tell which are detached", "[graph][v8][detached]") {
  const Graph graph = read_page("page-without-states.heapsnapshot");
  CHECK(name_of(graph, 13) == "Detached <div>");
  CHECK(name_of(graph, 27) == "Detached HTMLElement");  // as in the file, but not native
  CHECK(find(Heap(graph), "detached") == Ids{13});
  CHECK(find(Heap(graph), "nodes held-by=detached-dom") == Ids{13, 15, 19, 21, 29, 31});
}

TEST_CASE("snapshots without nodes of a page have no states", "[graph][v8][detached]") {
  for (const char* seed : {"node-16.heapsnapshot", "node-10.heapsnapshot", "small.heaptimeline"}) {
    const Graph graph = read_page(seed);
    CHECK(graph.node_dom_state.empty());
    CHECK(find(Heap(graph), "detached").empty());
  }
}

TEST_CASE("a detached node gets the prefix even if its name has it already", "[graph][v8][detached]") {
  Graph graph = make_v8_graph({{"synthetic", "", 0}, {"native", "Detached <div>", 8}, {"native", "<p>", 8}},
                              {{0, "element", "0", 1}});
  graph.node_dom_state = {DomState::unknown, DomState::detached, DomState::attached};
  graph::rename_detached(graph::find_detached_names(graph), graph);
  CHECK(graph.node(1).name() == "Detached Detached <div>");  // as in DevTools
  CHECK(graph::stateless_name(graph.node(1)) == "Detached <div>");
  CHECK(graph.node(2).name() == "<p>");
}

TEST_CASE("states and the names of detached nodes count against the limit", "[graph][v8][detached]") {
  const char* const seed = GENERATE("page.heapsnapshot", "page-without-states.heapsnapshot");
  const auto make = [seed](std::uint64_t most) {
    Limits limits;
    limits.max_memory = most;
    return graph::make_graph(read_snapshot(read_snapshot_seed(seed)).snapshot, limits);
  };
  std::uint64_t least = 1000;
  while (!make(least)) ++least;
  CHECK(make(least - 1).error().kind == ErrorKind::limit);
  const Graph graph = *make(least);
  std::uint64_t texts = 0;
  for (std::size_t i = 0; i < graph.texts.count(); ++i) texts += graph.texts[i].size() + sizeof(std::size_t);
  const std::uint64_t edges = graph.edge_count() * 9;
  CHECK(least == graph.node_count() * (Graph::node_bytes + 1) + edges + texts);
}

TEST_CASE("held-by finds what nothing else holds", "[graph][v8][detached]") {
  const Heap heap(read_page());
  CHECK(find(heap, "nodes held-by=detached-dom") == Ids{13, 15, 19, 21, 27, 29, 31});
  CHECK(find(heap, "nodes held-by=console") == Ids{59, 61});
  CHECK(find(heap, "nodes held-by=event-handlers") == Ids{39, 43, 45, 47, 49, 53, 55, 57});
  CHECK(find(heap, "nodes held-by=contexts") == Ids{55, 57});
  CHECK(find(heap, "objects held-by=contexts type=Big") == Ids{57});
  CHECK(find(heap, "nodes held-by=event-handlers held-by!=contexts by id") == Ids{53, 49, 47, 45, 43, 39});
}

TEST_CASE("a node that becomes detached remains the same node", "[analyze][v8][detached]") {
  const Graph after = read_page();
  Graph before = after;
  for (std::uint32_t node = 0; node < before.node_count(); ++node)
    before.node_name[node] = before.texts.add(graph::stateless_name(after.node(node)));
  before.node_dom_state.clear();
  REQUIRE(before.node(6).name() == "<div>");
  analyze::NodesById nodes(before);
  nodes.keep_common(analyze::NodesById(after));
  CHECK(nodes.rows().size() == after.node_count());
  before.node_name[6] = before.texts.add("<p>");
  analyze::NodesById others(before);
  others.keep_common(analyze::NodesById(after));
  CHECK(others.rows().size() == after.node_count() - 1);
}
