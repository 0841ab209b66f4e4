#include "analyze/equal_strings.hpp"

#include <string>
#include <tuple>
#include <vector>

#include "graph/make_graph.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/heapsnapshots.hpp"
#include "tests/support/v8_graphs.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

/// Text, count, size, wasted size and nodes of a group.
using EqualRow =
    std::tuple<std::string, std::uint64_t, std::uint64_t, std::uint64_t, std::vector<std::uint32_t>>;

std::vector<EqualRow> find_duplicates(const Graph& graph) {
  const analyze::EqualStrings strings(graph);
  std::vector<EqualRow> rows;
  for (const analyze::StringGroup& group : strings.find_duplicates()) {
    const auto nodes = strings.nodes_of(group);
    rows.emplace_back(strings.text_of(group), group.count, group.size, group.wasted(),
                      std::vector<std::uint32_t>(nodes.begin(), nodes.end()));
  }
  return rows;
}

/// A graph of strings, whose kinds are in the right groups.
Graph make_strings(const std::vector<MadeNode>& nodes, const std::vector<MadeEdge>& edges = {}) {
  Graph graph = make_v8_graph(nodes, edges);
  for (GraphKind& kind : graph.node_kinds) {
    const bool is_pair = kind.name == "concatenated string";
    if (kind.name == "string" || is_pair) kind.group = NodeGroup::string;
    kind.has_contents = !is_pair;
  }
  return graph;
}

/// Adds a concatenated string.
void add_pair(std::vector<MadeNode>& nodes, std::vector<MadeEdge>& edges, std::uint32_t first,
              std::uint32_t second) {
  const auto pair = static_cast<std::uint32_t>(nodes.size());
  nodes.push_back({"concatenated string", "", 20});
  edges.push_back({pair, "internal", "first", first});
  edges.push_back({pair, "internal", "second", second});
}

}  // namespace

TEST_CASE("equal strings are those of DevTools", "[analyze][v8][duplicates]") {
  const auto graph = graph::make_graph(read_snapshot(read_snapshot_seed("page.heapsnapshot")).snapshot, {});
  REQUIRE(graph);
  const analyze::EqualStrings strings(*graph);
  // Strings that V8 cut off with the same length and hash, concatenated strings, and strings of two sizes.
  CHECK(find_duplicates(*graph) == std::vector<EqualRow>{{"start", 2, 10040, 5020, {35, 36}},
                                                         {"equal", 2, 40, 20, {32, 33}},
                                                         {"abcd", 2, 40, 20, {54, 55}}});
  CHECK(strings.find_duplicates()[0].is_cut);
  CHECK(!strings.find_duplicates()[1].is_cut);
}

TEST_CASE("the contents of long strings end with a whole part", "[analyze][v8][duplicates]") {
  const std::string part(1000, 'a');
  std::vector<MadeNode> nodes = {
      {"string", part, 1016}, {"string", std::string(30, 'b'), 48}, {"string", "c", 16}, {"string", "d", 16}};
  std::vector<MadeEdge> edges;
  add_pair(nodes, edges, 0, 1);  // 4: 1030 characters
  add_pair(nodes, edges, 4, 2);  // 5: the same, because it is long enough
  add_pair(nodes, edges, 5, 3);  // 6
  add_pair(nodes, edges, 1, 2);  // 7
  add_pair(nodes, edges, 0, 7);  // 8: the parts of a part count alone
  CHECK(find_duplicates(make_strings(nodes, edges)) ==
        std::vector<EqualRow>{{part + std::string(30, 'b'), 4, 80, 60, {4, 5, 6, 8}}});
}

TEST_CASE("the strings of a long chain are equal once they are long enough", "[analyze][v8][duplicates]") {
  constexpr std::uint32_t count = 200'000;
  // The edges of each node are made here, because make_v8_graph() looks for them in all edges.
  Graph graph = make_strings({{"string", "x", 16}, {"string", "", 16}, {"concatenated string", "", 20}},
                             {{2, "internal", "first", 0}, {2, "internal", "second", 0}});
  for (std::uint32_t i = 3; i < count; ++i) {
    graph.node_kind.push_back(graph.node_kind[2]);
    graph.node_name.push_back(graph.node_name[2]);
    graph.node_size.push_back(20);
    graph.node_id.push_back(2 * i + 1);
    for (const std::uint32_t edge : {0U, 1U}) {
      graph.edge_kind.push_back(graph.edge_kind[edge]);
      graph.edge_name.push_back(graph.edge_name[edge]);
      graph.edge_target.push_back(edge == 0 ? i - 1 : 0);
    }
    graph.first_edge.push_back(graph.edge_count());
  }
  const auto found = find_duplicates(graph);
  REQUIRE(found.size() == 1);
  CHECK(std::get<0>(found[0]) == std::string(1024, 'x'));
  CHECK(std::get<1>(found[0]) == count - 1024);  // the first 1022 are shorter
}

TEST_CASE("a concatenated string that contains itself is read", "[analyze][v8][duplicates]") {
  std::vector<MadeNode> nodes = {{"string", "a", 16}};
  std::vector<MadeEdge> edges;
  add_pair(nodes, edges, 2, 0);
  add_pair(nodes, edges, 1, 0);
  add_pair(nodes, edges, 3, 3);
  const Graph graph = make_strings(nodes, edges);
  CHECK(analyze::EqualStrings(graph).groups().size() == 2);
}

TEST_CASE("long strings that V8 may have cut off must have the same size", "[analyze][v8][duplicates]") {
  const std::string text(1024, 'a');
  const std::string shorter(1023, 'b');
  CHECK(find_duplicates(make_strings({{"string", text, 2000},
                                      {"string", text, 3000},
                                      {"string", text, 2000},
                                      {"string", shorter, 1040},
                                      {"string", shorter, 1048}})) ==
        std::vector<EqualRow>{{text, 2, 4000, 2000, {0, 2}}, {shorter, 2, 2088, 1044, {3, 4}}});
}
