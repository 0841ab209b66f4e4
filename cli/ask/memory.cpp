// The questions about what holds memory: retained, dominators, unreachable and duplicates.
#include <algorithm>
#include <utility>

#include "cli/ask/ask.hpp"
#include "cli/ask/questions.hpp"
#include "cli/ask/rows.hpp"
#include "cli/commands.hpp"

namespace heapcheck::cli {
namespace {

/// All nodes but those for roots, those that retain the most first.
std::vector<std::uint32_t> sort_by_retained(const Heap& heap) {
  std::vector<std::uint32_t> nodes;
  for (const Node& node : heap.graph().nodes()) {
    if (node.kind().group != NodeGroup::root) nodes.push_back(node.index());
  }
  const auto sizes = heap.retained_sizes();
  std::ranges::sort(nodes, [sizes](std::uint32_t a, std::uint32_t b) {
    return sizes[a] != sizes[b] ? sizes[a] > sizes[b] : a < b;
  });
  return nodes;
}

Answer list_nodes(const Asked& asked, std::vector<std::uint32_t> nodes) {
  const std::size_t count = nodes.size();
  return {.facts = make_facts(asked),
          .table = {.columns = node_columns},
          .later_rows = {count, [heap = asked.heap, list = std::move(nodes)](std::size_t i) {
                           return make_row(heap, list[i]);
                         }}};
}

Answer list_branches(const Asked& asked, const std::vector<DominatorRow>& rows) {
  Answer answer{.facts = make_facts(asked),
                .table = {.columns = {{"name", "Name"},
                                      {"depth", ""},
                                      {"id", "Id", Unit::number},
                                      {"count", "Count", Unit::count},
                                      {"size", "Size", Unit::bytes},
                                      {"retained", "Retained", Unit::bytes}},
                          .indent = 1},
                .is_limited = false};  // the tree was
  for (const DominatorRow& row : rows) {
    const Cell id = row.count == 1 ? Cell(asked.heap.graph().node(row.node).id()) : Cell();
    answer.table.rows.push_back({row.name, std::uint64_t{row.depth}, id, row.count, row.size, row.retained});
  }
  return answer;
}

}  // namespace

Result<Answer> answer_retained(const Values& /*values*/, const Asked& asked) {
  return list_nodes(asked, sort_by_retained(asked.heap));
}

Result<Answer> answer_dominators(const Values& values, const Asked& asked) {
  const auto node = asked.heap.find_node(values.find<std::string>("ID").value_or("row:0"));
  if (!node) return std::unexpected(node.error());
  return list_branches(asked,
                       asked.heap.dominator_tree(*node, values.get<bool>("by-type"), most_rows(values)));
}

Result<Answer> answer_unreachable(const Values& /*values*/, const Asked& asked) {
  return list_nodes(asked, asked.heap.find_unreachable());
}

Result<Answer> answer_duplicates(const Values& /*values*/, const Asked& asked) {
  auto found = asked.heap.duplicates();
  if (!found) return std::unexpected(found.error());
  const std::size_t count = found->size();
  return Answer{.facts = make_facts(asked),
                .table = {.columns = {{"text", "String"},
                                      {"count", "Count", Unit::count},
                                      {"size", "Size", Unit::bytes},
                                      {"wasted", "Wasted", Unit::bytes}}},
                .later_rows = {count, [rows = std::move(*found)](std::size_t i) -> std::vector<Cell> {
                                 return {rows[i].text, rows[i].count, rows[i].size, rows[i].wasted};
                               }}};
}

int run_retained(const Values& values) { return ask(values, answer_retained); }
int run_dominators(const Values& values) { return ask(values, answer_dominators); }
int run_unreachable(const Values& values) { return ask(values, answer_unreachable); }
int run_duplicates(const Values& values) { return ask(values, answer_duplicates); }

}  // namespace heapcheck::cli
