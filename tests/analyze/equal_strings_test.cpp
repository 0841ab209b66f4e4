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

TEST_CASE("the texts of strings that are made of parts in several ways are equal",
          "[analyze][v8][duplicates]") {
  std::vector<MadeNode> nodes = {{"string", "abcdefghijklmnop", 32},
                                 {"string", "abc", 16},
                                 {"string", "defghijklmnop", 32},
                                 {"string", "ab", 16},
                                 {"string", "c", 16},
                                 {"string", "abc", 24}};
  std::vector<MadeEdge> edges;
  add_pair(nodes, edges, 1, 2);  // 6: the text of 0
  add_pair(nodes, edges, 3, 4);  // 7: abc
  add_pair(nodes, edges, 7, 2);  // 8: the text of 0
  add_pair(nodes, edges, 4, 3);  // 9: cab
  add_pair(nodes, edges, 5, 2);  // 10: the text of 0
  CHECK(find_duplicates(make_strings(nodes, edges)) ==
        std::vector<EqualRow>{{"abcdefghijklmnop", 4, 92, 69, {0, 6, 8, 10}}, {"abc", 3, 60, 40, {1, 5, 7}}});
}

TEST_CASE("texts of zeros and of other lengths differ", "[analyze][v8][duplicates]") {
  std::vector<MadeNode> nodes;
  for (std::size_t bytes = 0; bytes < 20; ++bytes) nodes.push_back({"string", std::string(bytes, '\0'), 16});
  CHECK(find_duplicates(make_strings(nodes)).empty());
  CHECK(analyze::EqualStrings(make_strings(nodes)).groups().size() == nodes.size());
}

TEST_CASE("empty parts change no text, and the parts of long texts are found after them",
          "[analyze][v8][duplicates]") {
  const std::string half(512, 'a');
  std::vector<MadeNode> nodes = {
      {"string", "", 16}, {"string", half, 528}, {"string", "b", 16}, {"string", "c", 16}};
  std::vector<MadeEdge> edges;
  add_pair(nodes, edges, 0, 0);  // 4: empty, and so flat
  add_pair(nodes, edges, 4, 1);  // 5: flat
  add_pair(nodes, edges, 0, 5);  // 6: flat
  add_pair(nodes, edges, 6, 5);  // 7: 1024 characters
  add_pair(nodes, edges, 1, 1);  // 8: the same
  add_pair(nodes, edges, 8, 2);  // 9: the same, because it is long enough
  add_pair(nodes, edges, 5, 3);  // 10: 513 characters
  add_pair(nodes, edges, 6, 9);  // 11: 1024 characters
  const Graph graph = make_strings(nodes, edges);
  CHECK(find_duplicates(graph) == std::vector<EqualRow>{{half + half, 4, 80, 60, {7, 8, 9, 11}}});
  const analyze::EqualStrings strings(graph);
  REQUIRE(strings.groups().size() == 6);
  CHECK(strings.text_of(strings.groups()[5]) == half + "c");
}

TEST_CASE("a long chain of strings is read, each of which begins with the next one",
          "[analyze][v8][duplicates]") {
  constexpr std::uint32_t count = 1030;
  std::vector<MadeNode> nodes = {{"string", "x", 16}, {"string", "y", 16}};
  std::vector<MadeEdge> edges;
  for (std::uint32_t i = 1; i < count; ++i) add_pair(nodes, edges, 0, i);
  const auto found = find_duplicates(make_strings(nodes, edges));
  REQUIRE(found.size() == 1);
  CHECK(std::get<0>(found[0]) == std::string(1024, 'x'));
  CHECK(std::get<1>(found[0]) == count - 1024);  // the others are shorter or end with y
}

TEST_CASE("a text that one string has as a whole is not made again", "[analyze][v8][duplicates]") {
  const std::string text(2000, 'a');
  std::vector<MadeNode> nodes = {{"string", text, 2016}, {"string", "b", 16}, {"string", "", 16}};
  std::vector<MadeEdge> edges;
  add_pair(nodes, edges, 0, 1);  // 3: the text of 0, because it is long enough
  add_pair(nodes, edges, 1, 1);  // 4: bb
  const Graph graph = make_strings(nodes, edges);
  const analyze::EqualStrings strings(graph);
  REQUIRE(strings.groups().size() == 5);
  CHECK(strings.find_text(strings.groups()[3]) == text);
  CHECK(strings.find_text(strings.groups()[3])->data() == graph.node(0).name().data());
  CHECK(!strings.find_text(strings.groups()[4]));
}

TEST_CASE("strings that V8 cut off share the nodes of numbers", "[analyze][v8][duplicates]") {
  std::vector<MadeNode> nodes = {{"number", "bool", 0}, {"string", "true", 0}, {"number", "int", 0},
                                 {"string", "7", 0},    {"number", "int", 0},  {"string", "8", 0}};
  std::vector<MadeEdge> edges = {
      {0, "internal", "value", 1}, {2, "internal", "value", 3}, {4, "internal", "value", 5}};
  for (const std::uint32_t hash : {2U, 4U, 2U}) {
    const auto string = static_cast<std::uint32_t>(nodes.size());
    nodes.push_back({"string", "start", 5000});
    edges.push_back({string, "internal", "truncated", 0});
    edges.push_back({string, "internal", "length", 2});
    edges.push_back({string, "internal", "hash", hash});
  }
  CHECK(find_duplicates(make_strings(nodes, edges)) ==
        std::vector<EqualRow>{{"start", 2, 10000, 5000, {6, 8}}});
}
