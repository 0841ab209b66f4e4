// The questions about what uses the most memory: top, both for nodes and for allocations by call stack, and
// tree.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyze/answers/question.hpp"
#include "analyze/answers/rows.hpp"
#include "analyze/answers/write.hpp"
#include "analyze/node_stacks.hpp"
#include "analyze/stacks.hpp"
#include "analyze/totals.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/core/text/nearest.hpp"

namespace heapcheck::analyze::answers {
namespace {

/// The groups of nodes that can be counted, as options call them.
struct CountedGroup {
  NodeGroup group;
  TopOf of;
  std::string_view word;
};
constexpr CountedGroup counted_groups[] = {{NodeGroup::object, TopOf::objects, "objects"},
                                           {NodeGroup::type_object, TopOf::types, "types"},
                                           {NodeGroup::stable, TopOf::stables, "stables"},
                                           {NodeGroup::frame, TopOf::frames, "frames"},
                                           {NodeGroup::string, TopOf::strings, "strings"}};

std::unexpected<Error> refuse_order(std::string_view order, const std::vector<std::string>& known) {
  const std::vector<std::string_view> words(known.begin(), known.end());
  return refuse(fmt::format("found \"{}\", expected {}{}", order, core::join_words(words, "or"),
                            core::suggest_word(known, order)));
}

/// Parses the field by which rows are sorted: `by size`, `by count` or the text for the third field. If no
/// order is given, rows are sorted by size.
Result<std::string> parse_order(const Options& options, std::string_view third) {
  const auto order = options.find<std::string>("order");
  if (!order) return "size";
  const std::vector<std::string> known = {"by size", "by count", fmt::format("by {}", third)};
  if (std::ranges::find(known, *order) == known.end()) return refuse_order(*order, known);
  return order->substr(std::string_view("by ").size());
}

std::vector<Column> columns_of_totals(std::string_view third, std::string_view label) {
  return {{"name", "Name"},
          {"count", "Count", Unit::count},
          {"size", "Size", Unit::bytes},
          {third, label, Unit::bytes},
          {"place", "", Unit::place}};
}

/// Adds the columns for total allocations, which only timelines state. The place remains the last
/// one.
void add_allocated_columns(std::vector<Column>& columns) {
  columns.insert(columns.end() - 1, {{"allocated_count", "Allocated", Unit::count},
                                     {"allocated_size", "Allocated size", Unit::bytes}});
}

template <class Row>
void add_allocated(const Row& row, std::vector<Cell>& cells) {
  cells.insert(cells.end() - 1, {Cell(row.allocated_count), Cell(row.allocated_size)});
}

Result<Answer> count_nodes(const Options& options, const Asked& asked) {
  const auto what = options.text("what");
  const auto by = parse_order(options, "retained");
  if (!by) return std::unexpected(by.error());
  Answer answer{.facts = make_facts(asked), .table = {.columns = columns_of_totals("retained", "Retained")}};
  answer.facts.emplace_back("of", what);
  answer.facts.emplace_back("by", *by);
  if (!asked.lack.empty()) return answer;
  const auto heap = make_asked(asked);
  if (!heap) return std::unexpected(heap.error());
  const auto of = parse_top_of(heap->graph(), what);
  if (!of) return std::unexpected(of.error());
  const auto rows = std::make_shared<TopRows>(heap->heap->top_rows(*of, *parse_top_by(*by)));
  answer.later_rows = {rows->count(), [heap = heap->heap, rows](std::size_t i) -> std::vector<Cell> {
                         const TopRow& row = rows->at(i);
                         return {std::string(row.name), row.count, row.size, row.retained,
                                 make_place(place_of(heap->graph(), row.place))};
                       }};
  return answer;
}

Result<Answer> count_stacks(const Options& options, const Asked& asked) {
  const auto what = options.text("what");
  const auto by = parse_order(options, "cumulative");
  if (!by) return std::unexpected(by.error());
  Answer answer{.facts = make_facts(asked),
                .table = {.columns = columns_of_totals("cumulative", "Cumulative")}};
  add_process(asked, answer);
  answer.facts.emplace_back("of", what);
  answer.facts.emplace_back("by", *by);
  if (!asked.lack.empty()) return answer;
  const auto profile = make_asked_profile(asked);
  if (!profile) return std::unexpected(profile.error());
  const auto of = parse_allocations_of(*profile, what);
  if (!of) return std::unexpected(of.error());
  if (has_allocated(*profile)) add_allocated_columns(answer.table.columns);
  for (NodeTotals& row : count_allocations(*profile, *of, *parse_top_by(*by))) {
    std::vector<Cell>& cells = answer.table.rows.emplace_back();
    cells = {std::move(row.name), make_count(*profile, row.count), row.size, row.retained,
             make_place(row.place)};
    if (has_allocated(*profile)) add_allocated(row, cells);
  }
  answer.remarks = make_remarks(*profile);
  return answer;
}

std::vector<Cell> make_tree_row(const AllocationProfile& profile, const StackRow& row) {
  std::vector<Cell> cells = {std::string(profile.texts[profile.frames[row.frame].name]),
                             std::uint64_t{row.depth},
                             make_count(profile, row.count),
                             row.size,
                             row.cumulative,
                             make_place(analyze::make_place(profile, row.frame))};
  if (has_allocated(profile)) add_allocated(row, cells);
  return cells;
}

}  // namespace

bool counts_stacks(const Asked& asked, std::string_view what) {
  const Family family = family_of(asked.format);
  if (family == Family::v8_heapsnapshot) return what == "frames";
  if (asked.heap != nullptr) return false;
  return family == Family::trace || (family == Family::v8_heapprofile && what != "kinds");
}

Result<AllocationProfile> make_asked_profile(const Asked& asked) {
  const bool has_graph = asked.heap != nullptr && family_of(asked.format) == Family::v8_heapsnapshot;
  return has_graph ? make_live_profile(asked.heap->graph()) : asked.make_profile();
}

Remark make_remark(const WithoutStack& left_out, std::string_view limit) {
  return {Remark::Kind::note,
          fmt::format("left out {}{} ({}) without a stack: most were allocated before stacks were recorded",
                      limit, core::counted(left_out.count, "node"), show_bytes(left_out.size))};
}

std::vector<Remark> make_remarks(const AllocationProfile& profile) {
  if (profile.left_out_count == 0) return {};
  return {make_remark({.count = profile.left_out_count, .size = profile.left_out_size})};
}

Result<TopOf> parse_top_of(const Graph& graph, std::string_view word) {
  std::vector<std::string_view> choices;
  for (const CountedGroup& counted : counted_groups) {
    if (std::ranges::find(graph.node_kinds, counted.group, &GraphKind::group) == graph.node_kinds.end())
      continue;
    if (counted.word == word) return counted.of;
    choices.push_back(counted.word);
  }
  const bool has_closures =
      std::ranges::find(graph.node_kinds, "closure", &GraphKind::name) != graph.node_kinds.end();
  if (has_closures && word == "closures") return TopOf::closures;
  if (has_closures) choices.emplace_back("closures");
  if (word == "kinds") return TopOf::kinds;
  choices.emplace_back("kinds");
  return refuse(fmt::format("has no {}, expected {}", word, core::join_words(choices, "or")));
}

Result<AllocationsOf> parse_allocations_of(const AllocationProfile& profile, std::string_view what) {
  const bool has_types = profile.size.size() == profile.type.size();
  if (what == "frames") return AllocationsOf::frames;
  if (has_types && what == "types") return AllocationsOf::types;
  if (has_types && what == "allocators") return AllocationsOf::allocators;
  return refuse(fmt::format("has no {}, expected {}", what,
                            has_types ? "frames, types or allocators" : "frames or kinds"));
}

Result<void> check_order(const Options& options) {
  const std::string order = options.find<std::string>("order").value_or("by size");
  if (order.starts_with("by ") && parse_top_by(std::string_view(order).substr(3))) return {};
  return refuse_order(order, {"by size", "by count", "by retained", "by cumulative"});
}

Result<Answer> answer_top(const Options& options, const Asked& asked) {
  return counts_stacks(asked, options.text("what")) ? count_stacks(options, asked)
                                                    : count_nodes(options, asked);
}

Result<Answer> answer_tree(const Options& options, const Asked& asked) {
  const bool is_inverted = options.flag("inverted");
  Answer answer{.facts = make_facts(asked),
                .table = {.columns = {{"name", "Name"},
                                      {"depth", ""},
                                      {"count", "Count", Unit::count},
                                      {"size", "Size", Unit::bytes},
                                      {"cumulative", "Cumulative", Unit::bytes},
                                      {"place", "", Unit::place}},
                          .indent = 1},
                .is_limited = false};  // the tree was limited instead
  add_process(asked, answer);
  answer.facts.emplace_back("tree", is_inverted ? "inverted" : "from root");
  if (!asked.lack.empty()) return answer;
  auto profile = make_asked_profile(asked);
  if (!profile) return std::unexpected(profile.error());
  const std::size_t most = options.most_rows();
  const StackTree tree = is_inverted ? StackTree::inverted : StackTree::from_root;
  auto rows = find_largest_calls(*profile, tree, most == SIZE_MAX ? 0 : most, asked.limits);
  if (!rows) return std::unexpected(rows.error());
  if (has_allocated(*profile)) add_allocated_columns(answer.table.columns);
  answer.remarks = make_remarks(*profile);
  const std::size_t count = rows->size();
  if (count == most) add_left_out(count_calls(*profile, tree), count, answer);
  const auto shared = std::make_shared<const AllocationProfile>(std::move(*profile));
  answer.later_rows = {
      count, [shared, list = std::move(*rows)](std::size_t i) { return make_tree_row(*shared, list[i]); }};
  return answer;
}

}  // namespace heapcheck::analyze::answers
