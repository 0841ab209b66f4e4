// The questions about what holds memory: retained, dominators, unreachable and duplicates.
#include <algorithm>

#include "cli/ask/ask.hpp"
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

Answer list_nodes(const Asked& asked, const std::vector<std::uint32_t>& nodes, std::uint64_t most) {
  Answer answer{.facts = make_facts(asked), .table = {.columns = node_columns}};
  for (const std::uint32_t node : nodes) {
    if (most != 0 && answer.table.rows.size() == most) break;
    answer.table.rows.push_back(make_row(asked.heap, node));
  }
  answer.left_out = nodes.size() - answer.table.rows.size();
  return answer;
}

Answer list_branches(const Asked& asked, const std::vector<DominatorRow>& rows) {
  Answer answer{.facts = make_facts(asked),
                .table = {.columns = {{"name", "Name"},
                                      {"depth", ""},
                                      {"id", "Id", Unit::number},
                                      {"count", "Count", Unit::count},
                                      {"size", "Size", Unit::bytes},
                                      {"retained", "Retained", Unit::bytes}},
                          .indent = 1}};
  for (const DominatorRow& row : rows) {
    const Cell id = row.count == 1 ? Cell(asked.heap.graph().node(row.node).id()) : Cell();
    answer.table.rows.push_back({row.name, std::uint64_t{row.depth}, id, row.count, row.size, row.retained});
  }
  return answer;
}

}  // namespace

int run_retained(const Values& values) {
  return ask(values, [&](const Asked& asked) -> Result<Answer> {
    return list_nodes(asked, sort_by_retained(asked.heap), limit_of(values));
  });
}

int run_dominators(const Values& values) {
  return ask(values, [&](const Asked& asked) -> Result<Answer> {
    const auto node = asked.heap.find_node(values.find<std::string>("ID").value_or("row:0"));
    if (!node) return std::unexpected(node.error());
    return list_branches(asked,
                         asked.heap.dominator_tree(*node, values.get<bool>("by-type"), limit_of(values)));
  });
}

int run_unreachable(const Values& values) {
  return ask(values, [&](const Asked& asked) -> Result<Answer> {
    return list_nodes(asked, asked.heap.find_unreachable(), limit_of(values));
  });
}

int run_duplicates(const Values& values) {
  return ask(values, [](const Asked& asked) -> Result<Answer> {
    const auto found = asked.heap.duplicates();
    if (!found) return std::unexpected(found.error());
    Answer answer{.facts = make_facts(asked),
                  .table = {.columns = {{"text", "String"},
                                        {"count", "Count", Unit::count},
                                        {"size", "Size", Unit::bytes},
                                        {"wasted", "Wasted", Unit::bytes}}}};
    for (const DuplicateStrings& row : *found)
      answer.table.rows.push_back({row.text, row.count, row.size, row.wasted});
    return answer;
  });
}

}  // namespace heapcheck::cli
