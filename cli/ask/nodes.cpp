// The questions about single nodes: find, count, show and retainers.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

#include "cli/ask/ask.hpp"
#include "cli/ask/questions.hpp"
#include "cli/ask/rows.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"

namespace heapcheck::cli {
namespace {

/// The nodes that QUERY describes.
Result<std::vector<std::uint32_t>> find_queried(const Values& values, const Asked& asked) {
  return asked.heap.find(join_words(values, "QUERY"));
}

/// The node that ID names.
Result<std::uint32_t> find_named(const Values& values, const Asked& asked) {
  return asked.heap.find_node(values.get<std::string>("ID"));
}

std::vector<Column> columns_with_edge() {
  std::vector<Column> columns = node_columns;
  columns.insert(columns.begin(), {"edge", "Edge", Unit::label});
  return columns;
}

std::vector<Cell> make_row_with_edge(const Heap& heap, std::uint64_t edge, std::uint32_t node) {
  std::vector<Cell> row = make_row(heap, node);
  row.insert(row.begin(), label_of(Edge(heap.graph(), edge)));
  return row;
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

}  // namespace

std::string join_words(const Values& values, std::string_view argument) {
  return fmt::format("{}", fmt::join(values.get<std::vector<std::string>>(argument), " "));
}

bool check_query(const Values& values, std::string_view argument) {
  const auto checked = Heap::check_query(join_words(values, argument));
  if (!checked) print_error(checked.error().message);
  return checked.has_value();
}

Result<Answer> answer_find(const Values& values, const Asked& asked) {
  auto found = find_queried(values, asked);
  if (!found) return std::unexpected(found.error());
  const std::size_t count = found->size();
  return Answer{.facts = make_facts(asked),
                .table = {.columns = node_columns},
                .later_rows = {count, [heap = asked.heap, nodes = std::move(*found)](std::size_t i) {
                                 return make_row(heap, nodes[i]);
                               }}};
}

Result<Answer> answer_count(const Values& values, const Asked& asked) {
  const auto found = find_queried(values, asked);
  if (!found) return std::unexpected(found.error());
  std::uint64_t size = 0;
  for (const std::uint32_t node : *found) size += asked.heap.graph().node_size[node];
  return Answer{.facts = make_facts(asked),
                .table = {.columns = {{"count", "Count", Unit::count}, {"size", "Size", Unit::bytes}},
                          .rows = {{std::uint64_t{found->size()}, size}}}};
}

Result<Answer> answer_show(const Values& values, const Asked& asked) {
  const auto node = find_named(values, asked);
  if (!node) return std::unexpected(node.error());
  const Table retainers = make_retainers(asked.heap, *node);
  Answer answer{.facts = make_facts(asked), .table = {.key = "edges", .columns = columns_with_edge()}};
  const std::vector<Cell> cells = make_row(asked.heap, *node);
  for (std::size_t i = 0; i < cells.size(); ++i) answer.facts.emplace_back(node_columns[i].key, cells[i]);
  answer.facts.emplace_back("retainers", std::vector{retainers});
  const Graph& graph = asked.heap.graph();
  const std::uint64_t first = graph.first_edge[*node];
  answer.later_rows = {static_cast<std::size_t>(graph.first_edge[std::size_t{*node} + 1] - first),
                       [heap = asked.heap, first](std::size_t i) {
                         return make_row_with_edge(heap, first + i, heap.graph().edge_target[first + i]);
                       }};
  answer.text_before = show_table({.columns = node_columns, .rows = {cells}}) + "\nedges:\n";
  if (!retainers.rows.empty()) answer.text_after = "\nheld by:\n" + show_table(retainers, most_rows(values));
  return answer;
}

Result<Answer> answer_retainers(const Values& values, const Asked& asked) {
  const auto node = find_named(values, asked);
  if (!node) return std::unexpected(node.error());
  std::vector<std::uint64_t> edges = asked.heap.edges_to(*node);
  const std::size_t count = edges.size();
  return Answer{.facts = make_facts(asked),
                .table = {.columns = columns_with_edge()},
                .later_rows = {count, [heap = asked.heap, edges = std::move(edges)](std::size_t i) {
                                 return make_row_with_edge(heap, edges[i], heap.source_of(edges[i]));
                               }}};
}

int run_find(const Values& values) { return check_query(values, "QUERY") ? ask(values, answer_find) : usage; }
int run_count(const Values& values) {
  return check_query(values, "QUERY") ? ask(values, answer_count) : usage;
}
int run_show(const Values& values) { return ask(values, answer_show); }
int run_retainers(const Values& values) { return ask(values, answer_retainers); }

}  // namespace heapcheck::cli
