// The questions about individual nodes: find, count, show and retainers.

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

#include "analyze/answers/question.hpp"
#include "analyze/answers/rows.hpp"
#include "analyze/answers/write.hpp"
#include "analyze/node_stacks.hpp"
#include "analyze/query.hpp"
#include "analyze/stacks.hpp"
#include "analyze/totals.hpp"
#include "formats/core/checked.hpp"

namespace heapcheck::analyze::answers {
namespace {

std::vector<Column> columns_with_edge(const Graph& graph) {
  std::vector<Column> columns = node_columns_of(graph);
  columns.insert(columns.begin(), {"edge", "Edge", Unit::label});
  return columns;
}

std::vector<Cell> make_row_with_edge(const Heap& heap, std::uint64_t edge, std::uint32_t node) {
  std::vector<Cell> row = make_row(heap, node);
  row.insert(row.begin(), label_of(Edge(heap.graph(), edge)));
  return row;
}

/// The nodes that have edges to a node. Nodes of the same kind, name and place share a row if their edges
/// have the same label; the row has the id of the first node.
Table make_retainers(const Heap& heap, std::uint32_t node) {
  using Row = std::tuple<std::string, std::string, std::string, Place>;
  struct Sources {
    std::uint64_t first_id = 0;
    std::uint64_t count = 0;
  };
  std::map<Row, Sources> rows;
  for (const std::uint64_t edge : heap.edges_to(node)) {
    const Node source = heap.graph().node(heap.graph().source_of(edge));
    Sources& sources = rows[{label_of(Edge(heap.graph(), edge)), source.kind().name,
                             std::string(source.name()), place_of(heap.graph(), source.place())}];
    if (++sources.count == 1) sources.first_id = source.id();
  }
  Table table{.key = "retainers",
              .columns = {{"edge", "Edge", Unit::label},
                          {"id", "Id", Unit::number},
                          {"kind", "Kind"},
                          {"name", "Name"},
                          {"count", "Count", Unit::count},
                          {"place", "", Unit::place}}};
  for (const auto& [row, sources] : rows) {
    const auto& [edge, kind, name, place] = row;
    table.rows.push_back({edge, sources.first_id, kind, name, sources.count, make_place(place)});
  }
  std::ranges::sort(table.rows, std::greater<>(),
                    [](const auto& row) { return std::get<std::uint64_t>(row[4]); });
  return table;
}

Result<std::vector<std::uint32_t>> find_nodes(const Options& options, const AskedHeap& asked) {
  const std::string text = options.text("query");
  auto found = asked.heap->find(text);
  if (!found || !found->empty()) return found;
  const auto query = parse_query(text);
  if (!query) return std::unexpected(query.error());
  if (const auto checked = check_texts(asked.graph(), *query); !checked)
    return std::unexpected(checked.error());
  return found;
}

}  // namespace

Result<void> check_query(const Options& options) { return Heap::check_query(options.text("query")); }

Result<Answer> answer_find(const Options& options, const AskedHeap& asked) {
  auto found = find_nodes(options, asked);
  if (!found) return std::unexpected(found.error());
  const std::size_t count = found->size();
  return Answer{.facts = make_facts(asked.snapshot),
                .table = {.columns = node_columns_of(asked.graph())},
                .later_rows = {count, [heap = asked.heap, nodes = std::move(*found)](std::size_t i) {
                                 return make_row(*heap, nodes[i]);
                               }}};
}

Result<Answer> answer_count(const Options& options, const AskedHeap& asked) {
  const auto found = find_nodes(options, asked);
  if (!found) return std::unexpected(found.error());
  std::uint64_t size = 0;
  for (const std::uint32_t node : *found) size = core::saturating_add(size, asked.graph().node_size[node]);
  return Answer{.facts = make_facts(asked.snapshot),
                .table = {.columns = {{"count", "Count", Unit::count}, {"size", "Size", Unit::bytes}},
                          .rows = {{std::uint64_t{found->size()}, size}}}};
}

Result<Answer> answer_show(const Options& options, const AskedHeap& asked) {
  const auto node = asked.heap->find_node(options.text("id"));
  if (!node) return std::unexpected(node.error());
  const Table retainers = make_retainers(*asked.heap, *node);
  Answer answer{.facts = make_facts(asked.snapshot),
                .table = {.key = "edges", .columns = columns_with_edge(asked.graph())}};
  const std::vector<Cell> cells = make_row(*asked.heap, *node);
  const std::vector<Column> columns = node_columns_of(asked.graph());
  for (std::size_t i = 0; i < cells.size(); ++i) answer.facts.emplace_back(columns[i].key, cells[i]);
  answer.facts.emplace_back("retainers", std::vector{retainers});
  const Table stack = make_stack(asked.graph(), find_node_stack(asked.graph(), *node));
  if (!asked.graph().node_stack.empty()) answer.facts.emplace_back("stack", std::vector{stack});
  // An array may have millions of edges, so the rows for them are made later. Its retainers need only a few
  // rows.
  const Graph& graph = asked.graph();
  const std::uint64_t first = graph.first_edge[*node];
  answer.later_rows = {static_cast<std::size_t>(graph.first_edge[std::size_t{*node} + 1] - first),
                       [heap = asked.heap, first](std::size_t i) {
                         return make_row_with_edge(*heap, first + i, heap->graph().edge_target[first + i]);
                       }};
  answer.text_before = show_table({.columns = columns, .rows = {cells}}) + "\nedges:\n";
  if (!retainers.rows.empty())
    answer.text_after = "\nheld by:\n" + show_table(retainers, options.most_rows());
  if (!stack.rows.empty()) answer.text_after += "\nallocated by:\n" + show_table(stack, options.most_rows());
  return answer;
}

Result<Answer> answer_retainers(const Options& options, const AskedHeap& asked) {
  const auto node = asked.heap->find_node(options.text("id"));
  if (!node) return std::unexpected(node.error());
  std::vector<std::uint64_t> edges = asked.heap->edges_to(*node);
  const std::size_t count = edges.size();
  return Answer{.facts = make_facts(asked.snapshot),
                .table = {.columns = columns_with_edge(asked.graph())},
                .later_rows = {count, [heap = asked.heap, edges = std::move(edges)](std::size_t i) {
                                 return make_row_with_edge(*heap, edges[i],
                                                           heap->graph().source_of(edges[i]));
                               }}};
}

}  // namespace heapcheck::analyze::answers
