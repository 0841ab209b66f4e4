// The questions about what uses memory: retained, dominators, unreachable and duplicates.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "analyze/answers/question.hpp"
#include "analyze/answers/rows.hpp"
#include "analyze/equal_strings.hpp"
#include "analyze/largest_first.hpp"
#include "analyze/totals.hpp"

namespace heapcheck::analyze::answers {
namespace {

/// All nodes except root nodes, starting with the nodes that retain the most.
auto sort_by_retained(const AskedHeap& asked) {
  // Finding the sizes needs the most memory, so they are found before the nodes are listed.
  const auto retains_more = [sizes = asked.heap->retained_sizes()](std::uint32_t a, std::uint32_t b) {
    return sizes[a] != sizes[b] ? sizes[a] > sizes[b] : a < b;
  };
  std::vector<std::uint32_t> nodes;
  nodes.reserve(asked.graph().node_count());
  for (const Node& node : asked.graph().nodes()) {
    if (node.kind().group != NodeGroup::root) nodes.push_back(node.index());
  }
  SortedAsNeeded rows(std::move(nodes), retains_more);
  return std::make_shared<decltype(rows)>(std::move(rows));
}

Answer list_branches(const AskedHeap& asked, const std::vector<DominatorRow>& rows) {
  Answer answer{.facts = make_facts(asked.snapshot),
                .table = {.columns = {{"name", "Name"},
                                      {"depth", ""},
                                      {"id", "Id", Unit::number},
                                      {"count", "Count", Unit::count},
                                      {"size", "Size", Unit::bytes},
                                      {"retained", "Retained", Unit::bytes},
                                      {"place", "", Unit::place}},
                          .indent = 1},
                .is_limited = false};  // the tree was limited instead
  for (const DominatorRow& row : rows) {
    const Cell id = row.count == 1 ? Cell(asked.graph().node(row.node).id()) : Cell();
    answer.table.rows.push_back({row.node == 0 ? std::string(root_name) : row.name, std::uint64_t{row.depth},
                                 id, row.count, row.size, row.retained,
                                 make_place(place_of(asked.graph(), row.node, row.count))});
  }
  return answer;
}

std::vector<Cell> make_string_row(const Heap& heap, const EqualStrings& strings, const StringGroup& group) {
  std::vector<std::uint64_t> ids;
  for (const std::uint32_t node : strings.nodes_of(group)) ids.push_back(heap.graph().node_id[node]);
  return {strings.text_of(group), group.count, group.size, group.wasted(), group.is_cut, std::move(ids)};
}

}  // namespace

Result<Answer> answer_retained(const Options& /*options*/, const AskedHeap& asked) {
  const auto nodes = sort_by_retained(asked);
  return Answer{.facts = make_facts(asked.snapshot),
                .table = {.columns = node_columns_of(asked.graph())},
                .later_rows = {nodes->count(), [heap = asked.heap, nodes](std::size_t i) {
                                 return make_row(*heap, nodes->at(i));
                               }}};
}

Result<Answer> answer_dominators(const Options& options, const AskedHeap& asked) {
  const auto node = asked.heap->find_node(options.text("id"));
  if (!node) return std::unexpected(node.error());
  const bool by_type = options.flag("by-type");
  const std::size_t most = options.most_rows();
  // The node itself is a row, too, and 0 would mean all rows.
  auto rows = asked.heap->dominator_tree(*node, by_type, std::max<std::size_t>(most, 2) - 1);
  rows.resize(std::min(rows.size(), most));
  Answer answer = list_branches(asked, rows);
  if (rows.size() == most) add_left_out(asked.heap->count_dominator_rows(*node, by_type), most, answer);
  return answer;
}

Result<Answer> answer_unreachable(const Options& /*options*/, const AskedHeap& asked) {
  std::vector<std::uint32_t> nodes = asked.heap->find_unreachable();
  const std::size_t count = nodes.size();
  return Answer{.facts = make_facts(asked.snapshot),
                .table = {.columns = node_columns_of(asked.graph())},
                .later_rows = {count, [heap = asked.heap, list = std::move(nodes)](std::size_t i) {
                                 return make_row(*heap, list[i]);
                               }}};
}

Result<Answer> answer_duplicates(const Options& /*options*/, const AskedHeap& asked) {
  auto equal = asked.heap->equal_strings();
  if (!equal) return std::unexpected(equal.error());
  const auto strings = std::make_shared<EqualStrings>(std::move(*equal));
  std::vector<StringGroup> found = strings->find_duplicates();
  const std::size_t count = found.size();
  return Answer{.facts = make_facts(asked.snapshot),
                .table = {.columns = {{"text", "String"},
                                      {"count", "Count", Unit::count},
                                      {"size", "Size", Unit::bytes},
                                      {"wasted", "Wasted", Unit::bytes},
                                      {"cut", ""},
                                      {"ids", ""}}},
                .later_rows = {count, [heap = asked.heap, strings, rows = std::move(found)](std::size_t i) {
                                 return make_string_row(*heap, *strings, rows[i]);
                               }}};
}

}  // namespace heapcheck::analyze::answers
