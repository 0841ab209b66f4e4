// The questions about single nodes: find, count, show, path and retainers.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

#include "cli/ask/ask.hpp"
#include "cli/ask/rows.hpp"
#include "cli/commands.hpp"

namespace heapcheck::cli {
namespace {

std::string join(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

std::vector<Column> columns_with_edge() {
  std::vector<Column> columns = node_columns;
  columns.insert(columns.begin(), {"edge", "Edge", Unit::label});
  return columns;
}

/// Answers with `make`, which gets the node that ID names.
int ask_about_node(const Values& values, const std::function<Answer(const Asked&, const Node&)>& make) {
  return ask(values, [&](const Asked& asked) -> Result<Answer> {
    const auto node = asked.heap.find_node(values.get<std::string>("ID"));
    if (!node) return std::unexpected(node.error());
    return make(asked, asked.heap.graph().node(*node));
  });
}

/// The nodes that have edges to a node, those of one kind and name with edges of one label in one row.
Table make_retainers(const Heap& heap, std::uint32_t node) {
  using Row = std::tuple<std::string, std::string, std::string>;
  std::map<Row, std::uint64_t> counts;
  for (const std::uint64_t edge : heap.edges_to(node)) {
    const Node source = heap.graph().node(heap.source_of(edge));
    ++counts[{label_of(Edge(heap.graph(), edge)), source.kind().name, std::string(source.name())}];
  }
  Table table{.key = "retainers",
              .columns = {{"edge", "Edge", Unit::label},
                          {"kind", "Kind"},
                          {"name", "Name"},
                          {"count", "Count", Unit::count}}};
  for (const auto& [row, count] : counts) {
    const auto& [edge, kind, name] = row;
    table.rows.push_back({edge, kind, name, count});
  }
  std::ranges::sort(table.rows, std::greater<>(),
                    [](const auto& row) { return std::get<std::uint64_t>(row[3]); });
  return table;
}

/// A part of an answer in text: a title and at most `most` rows.
std::string show_part(std::string_view title, const Table& table, std::uint64_t most) {
  return table.rows.empty() ? "" : fmt::format("\n{}:\n{}", title, show_table(table, most));
}

}  // namespace

int run_find(const Values& values) {
  return ask(values, [&](const Asked& asked) -> Result<Answer> {
    const auto found = asked.heap.find(join(values.get<std::vector<std::string>>("QUERY")));
    if (!found) return std::unexpected(found.error());
    Answer answer{.facts = make_facts(asked), .table = {.columns = node_columns}};
    for (const std::uint32_t node : *found) answer.table.rows.push_back(make_row(asked.heap, node));
    return answer;
  });
}

int run_count(const Values& values) {
  return ask(values, [&](const Asked& asked) -> Result<Answer> {
    const auto found = asked.heap.find(join(values.get<std::vector<std::string>>("QUERY")));
    if (!found) return std::unexpected(found.error());
    std::uint64_t size = 0;
    for (const std::uint32_t node : *found) size += asked.heap.graph().node_size[node];
    return Answer{.facts = make_facts(asked),
                  .table = {.columns = {{"count", "Count", Unit::count}, {"size", "Size", Unit::bytes}},
                            .rows = {{std::uint64_t{found->size()}, size}}}};
  });
}

int run_show(const Values& values) {
  return ask_about_node(values, [&](const Asked& asked, const Node& node) {
    const Table retainers = make_retainers(asked.heap, node.index());
    Answer answer{.facts = make_facts(asked), .table = {.key = "edges", .columns = columns_with_edge()}};
    const std::vector<Cell> cells = make_row(asked.heap, node.index());
    for (std::size_t i = 0; i < cells.size(); ++i) answer.facts.emplace_back(node_columns[i].key, cells[i]);
    answer.facts.emplace_back("retainers", std::vector{retainers});
    for (const Edge& edge : node.edges()) {
      std::vector<Cell> row = make_row(asked.heap, edge.target());
      row.insert(row.begin(), label_of(edge));
      answer.table.rows.push_back(std::move(row));
    }
    answer.text = show_table({.columns = node_columns, .rows = {cells}}, 0);
    *answer.text += show_part("edges", answer.table, limit_of(values));
    *answer.text += show_part("held by", retainers, limit_of(values));
    return answer;
  });
}

int run_path(const Values& values) {
  return ask_about_node(values, [](const Asked& asked, const Node& node) {
    const Graph& graph = asked.heap.graph();
    const std::vector<PathStep> path = asked.heap.path_to(node.index());
    Answer answer{
        .facts = make_facts(asked), .table = make_steps(graph, path), .text = show_path(graph, path)};
    if (answer.table.rows.empty()) answer.text = "no path leads from the root to this node\n";
    return answer;
  });
}

int run_retainers(const Values& values) {
  return ask_about_node(values, [](const Asked& asked, const Node& node) {
    const Graph& graph = asked.heap.graph();
    Answer answer{.facts = make_facts(asked), .table = {.columns = columns_with_edge()}};
    for (const std::uint64_t edge : asked.heap.edges_to(node.index())) {
      std::vector<Cell> row = make_row(asked.heap, asked.heap.source_of(edge));
      row.insert(row.begin(), label_of(Edge(graph, edge)));
      answer.table.rows.push_back(std::move(row));
    }
    return answer;
  });
}

}  // namespace heapcheck::cli
