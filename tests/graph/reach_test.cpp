#include "graph/reach.hpp"

#include <algorithm>

#include "formats/core/checked.hpp"
#include "tests/support/graphs.hpp"
#include "validate/mvmheap/rules.hpp"
#include "validate/v8/heapsnapshot/rules.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

std::vector<std::uint32_t> nodes_in(const graph::NodeSet& set) {
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t node = 0; node < set.size(); ++node) {
    if (set.has(node)) nodes.push_back(node);
  }
  return nodes;
}

std::vector<std::uint32_t> find_reached(const Graph& graph) {
  auto edges = edges_of(graph);
  return nodes_in(graph::find_reachable(edges));
}

/// The reachable nodes, found by the simplest possible search.
std::vector<std::uint32_t> find_reached_slowly(const Graph& graph) {
  graph::NodeSet reached(graph.node_count());
  std::vector<std::uint32_t> waiting{0};
  while (!waiting.empty()) {
    const std::uint32_t node = waiting.back();
    waiting.pop_back();
    if (!reached.add(node)) continue;
    for (const Edge edge : graph.node(node).edges()) waiting.push_back(edge.target());
  }
  return nodes_in(reached);
}

/// The part of a check's message about unreachable nodes that states their number.
template <class Check>
std::string message_of(const Check& check) {
  validation::Collector collector(1);
  check(collector);
  const auto findings = collector.take_findings();
  return findings.empty() ? "" : findings[0].message.substr(0, findings[0].message.find(" cannot"));
}

std::size_t count_lost(const Graph& graph) { return graph.node_count() - find_reached(graph).size(); }

std::string message_of(const mvmheap::Snapshot& snapshot) {
  namespace rules = validation::mvmheap;
  const mvmheap::Summary summary;
  const rules::SnapshotView view{
      0, snapshot, summary, {}, [](rules::Field, std::uint64_t) { return Location{{}, {}, ""}; }};
  return message_of([&](core::FindingSink& sink) { check_reachability(view, sink); });
}

}  // namespace

TEST_CASE("nodes are reached by forward and backward edges", "[graph][reach]") {
  using Nodes = std::vector<std::uint32_t>;
  CHECK(find_reached(make_graph_of({{}})) == Nodes{0});
  CHECK(find_reached(make_graph_of({{1, 2}, {}, {}})) == Nodes{0, 1, 2});
  CHECK(find_reached(make_graph_of({{3}, {}, {1}, {2}})) == Nodes{0, 1, 2, 3});
  CHECK(find_reached(make_graph_of({{2}, {0}, {2}, {1}})) == Nodes{0, 2});
  CHECK(find_reached(make_graph_of({{5}, {3}, {4}, {}, {1}, {2}, {0}})) == Nodes{0, 1, 2, 3, 4, 5});
}

TEST_CASE("a chain of edges back to the front needs no recursion", "[graph][reach]") {
  std::vector<std::vector<std::uint32_t>> edges(100'000);
  edges[0] = {static_cast<std::uint32_t>(edges.size() - 1)};
  for (std::uint32_t i = 2; i < edges.size(); ++i) edges[i] = {i - 1};
  CHECK(find_reached(make_graph_of(edges)).size() == edges.size());
}

TEST_CASE("a set counts its nodes and finds the first one that is missing", "[graph][reach]") {
  for (const std::uint64_t size : {1U, 63U, 64U, 65U, 200U}) {
    graph::NodeSet set(size);
    CHECK(set.find_missing() == 0);
    for (std::uint64_t node = 0; node + 1 < size; ++node) CHECK(set.add(node));
    CHECK(set.find_missing() == size - 1);
    CHECK(set.count() == size - 1);
    CHECK(set.add(size - 1));
    CHECK_FALSE(set.add(size - 1));
    CHECK(set.find_missing() == size);
  }
}

TEST_CASE("the search agrees with the simplest possible search on all seeds", "[graph][reach]") {
  for (const Graph& graph : read_seed_graphs()) CHECK(find_reached(graph) == find_reached_slowly(graph));
}

TEST_CASE("searching a MoarVM snapshot's columns has the same result as searching its graph",
          "[graph][reach]") {
  for (const std::string& seed : mvmheap_seeds) {
    Model model = read_model(read_seed(seed));
    mvmheap::Snapshot& snapshot = model.snapshots.back();
    CHECK(message_of(snapshot).empty());
    // Now the root only refers to itself.
    mvmheap::Column<std::uint32_t> targets;
    for (std::uint64_t i = 0; i < snapshot.references.count(); ++i) {
      const bool is_roots =
          core::is_inside(i - snapshot.collectables.refs_start[0], 1, snapshot.collectables.num_refs[0]);
      targets.push_back(is_roots ? 0 : snapshot.references.target[i]);
    }
    snapshot.references.target = targets;
    const auto graph = make_last_graph(model);
    REQUIRE(graph);
    CHECK(count_lost(*graph) == graph->node_count() - 1);
    CHECK(message_of(snapshot) == "collectable and " + std::to_string(graph->node_count() - 2) + " more");
  }
}

TEST_CASE("searching a V8 snapshot's columns has the same result as searching its graph", "[graph][reach]") {
  for (const std::string& seed : heapsnapshot_seeds) {
    const auto snapshot = read_snapshot(read_snapshot_seed(seed)).snapshot;
    const auto graph = graph::make_graph(snapshot, Limits{});
    REQUIRE(graph);
    const std::size_t lost = count_lost(*graph);
    const std::string message = message_of(
        [&](core::FindingSink& sink) { validation::v8::heapsnapshot::check_reachability(snapshot, sink); });
    CHECK(message == (lost == 0 ? "" : std::to_string(lost) + (lost == 1 ? " node" : " nodes")));
  }
}

TEST_CASE("the search stops at edges of V8 snapshots that do not lead to nodes", "[graph][reach]") {
  for (const bool is_reached : {true, false}) {
    // The second node is reached only in one of the snapshots; its edge leads to the middle of a node.
    const std::string edges = std::string(is_reached ? "1,0,5" : "1,0,0") + ",1,0,6";
    const auto snapshot = read_snapshot(make_snapshot("1,0,1,0,1,1,0,3,8,1", edges, R"("")")).snapshot;
    validation::Collector collector(1);
    CHECK_FALSE(validation::v8::heapsnapshot::check_reachability(snapshot, collector));
    CHECK(collector.take_findings().empty());
  }
}
