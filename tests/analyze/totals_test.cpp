#include "analyze/totals.hpp"

#include "tests/support/catch.hpp"

using namespace heapcheck;

namespace {

struct Sample {
  std::uint8_t kind;
  std::string_view name;
  std::uint64_t size;
};

/// A graph without edges whose kinds are a root, objects, STables, and closures, which share one type name.
Graph make_graph(std::initializer_list<Sample> nodes) {
  Graph graph;
  graph.node_kinds = {{.name = "root", .group = NodeGroup::root},
                      {.name = "object", .group = NodeGroup::object},
                      {.name = "STable", .group = NodeGroup::stable},
                      {.name = "closure", .group = NodeGroup::object, .type_name = "(closure)"}};
  for (const Sample& node : nodes) {
    graph.node_kind.push_back(node.kind);
    graph.node_name.push_back(graph.texts.add(node.name));
    graph.node_size.push_back(node.size);
  }
  return graph;
}

std::vector<NodeTotals> count_top(const Graph& graph, TopOf of, TopBy by) {
  return analyze::count_top(graph, of, by, {{}, {}});
}

using TotalsRow = std::tuple<std::string, std::uint64_t, std::uint64_t>;

std::vector<TotalsRow> rows_of(const std::vector<NodeTotals>& totals) {
  std::vector<TotalsRow> rows;
  for (const NodeTotals& total : totals) rows.emplace_back(total.name, total.count, total.size);
  return rows;
}

}  // namespace

TEST_CASE("objects are counted by the names of their types, largest first", "[analyze]") {
  const Graph graph = make_graph({{0, "root", 9}, {1, "A", 1}, {1, "B", 5}, {1, "A", 2}, {1, "", 4}});
  CHECK(rows_of(count_top(graph, TopOf::objects, TopBy::size)) ==
        std::vector<TotalsRow>{{"B", 1, 5}, {"", 1, 4}, {"A", 2, 3}});
  CHECK(rows_of(count_top(graph, TopOf::objects, TopBy::count)) ==
        std::vector<TotalsRow>{{"A", 2, 3}, {"B", 1, 5}, {"", 1, 4}});
}

TEST_CASE("equal rows are in the order of their names", "[analyze]") {
  const Graph graph = make_graph({{1, "C", 1}, {1, "A", 1}, {1, "B", 1}});
  CHECK(rows_of(count_top(graph, TopOf::objects, TopBy::size)) ==
        std::vector<TotalsRow>{{"A", 1, 1}, {"B", 1, 1}, {"C", 1, 1}});
}

TEST_CASE("a type name that a kind shares counts instead of the names of its nodes", "[analyze]") {
  const Graph graph = make_graph({{3, "f", 1}, {3, "g", 2}, {1, "(closure)", 4}, {2, "f", 8}});
  CHECK(rows_of(count_top(graph, TopOf::objects, TopBy::size)) ==
        std::vector<TotalsRow>{{"(closure)", 3, 7}});
  CHECK(rows_of(count_top(graph, TopOf::stables, TopBy::size)) == std::vector<TotalsRow>{{"f", 1, 8}});
  CHECK(count_top(graph, TopOf::frames, TopBy::size).empty());
}

TEST_CASE("kinds without nodes are left out, and sizes stop at the largest number", "[analyze]") {
  const Graph graph = make_graph({{1, "A", UINT64_MAX}, {1, "A", 1}, {0, "", 3}});
  CHECK(rows_of(analyze::count_kinds(graph)) ==
        std::vector<TotalsRow>{{"root", 1, 3}, {"object", 2, UINT64_MAX}});
}

TEST_CASE("types with the same name are different if their places are", "[analyze][places]") {
  Graph graph = make_graph({{1, "A", 1}, {1, "A", 2}, {1, "A", 4}, {1, "A", 8}, {1, "B", 16}});
  graph.node_kinds[1].place_is_of_type = true;
  const std::uint32_t file = graph.texts.add("a.js");
  graph.source_places = {{file, 3, 1}, {file, 4, 1}};
  graph.node_places = {{1, 0}, {2, 0}, {3, 1}};
  const auto rows = count_top(graph, TopOf::objects, TopBy::size);
  CHECK(rows_of(rows) == std::vector<TotalsRow>{{"B", 1, 16}, {"A", 1, 8}, {"A", 2, 6}, {"A", 1, 1}});
  CHECK(rows[1].place == heapcheck::Place{"a.js", 4, 1});
  CHECK(rows[2].place == heapcheck::Place{"a.js", 3, 1});
  CHECK(rows[3].place == heapcheck::Place{});
  graph.node_kinds[1].place_is_of_type = false;
  CHECK(rows_of(count_top(graph, TopOf::objects, TopBy::size)) ==
        std::vector<TotalsRow>{{"B", 1, 16}, {"A", 4, 15}});
}

TEST_CASE("closures are counted by function", "[analyze][places]") {
  Graph graph = make_graph({{3, "f", 1}, {3, "f", 2}, {3, "g", 4}, {1, "f", 8}});
  graph.node_kinds[3].place_is_of_type = true;
  graph.source_places = {{Graph::no_text, 3, 1}};
  graph.node_places = {{1, 0}};
  CHECK(rows_of(count_top(graph, TopOf::closures, TopBy::size)) ==
        std::vector<TotalsRow>{{"g", 1, 4}, {"f", 1, 2}, {"f", 1, 1}});
}
