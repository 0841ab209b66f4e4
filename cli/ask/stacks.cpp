#include "cli/ask/stacks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "cli/ask/rows.hpp"
#include "cli/commands.hpp"
#include "cli/system/limits.hpp"
#include "heapcheck/stacks.hpp"

namespace heapcheck::cli {
namespace {

/// Without a number of objects if the format has none.
Cell make_count(const AllocationProfile& profile, std::uint64_t count) {
  return profile.count.empty() && !profile.size.empty() ? Cell() : Cell(count);
}

/// `by size`, `by count`, `by cumulative`, or nothing.
Result<std::string> parse_stack_order(const std::vector<std::string>& words) {
  if (words.empty()) return "size";
  constexpr std::string_view orders[] = {"size", "count", "cumulative"};
  const bool is_order =
      words.size() == 2 && words[0] == "by" && std::ranges::find(orders, words[1]) != std::end(orders);
  if (is_order) return words[1];
  return std::unexpected(
      Error{ErrorKind::unsupported,
            fmt::format("found \"{}\", expected by size, by count or by cumulative", fmt::join(words, " "))});
}

std::vector<std::pair<std::string_view, Cell>> make_stack_facts(const AskedSnapshot& asked) {
  return {{"snapshot", asked.snapshot.index()}};
}

}  // namespace

bool counts_stacks(const AskedSnapshot& asked, std::string_view what) {
  const Family family = family_of(asked.format);
  return family == Family::trace || (family == Family::v8_heapprofile && what != "kinds");
}

Result<AllocationsOf> parse_allocations_of(const AllocationProfile& profile, std::string_view what) {
  const bool has_types = profile.size.size() == profile.type.size();
  if (what == "frames") return AllocationsOf::frames;
  if (has_types && what == "types") return AllocationsOf::types;
  if (has_types && what == "allocators") return AllocationsOf::allocators;
  return std::unexpected(Error{ErrorKind::unsupported,
                               fmt::format("has no {}, expected {}", what,
                                           has_types ? "frames, types or allocators" : "frames or kinds")});
}

Result<Answer> answer_top_stacks(const Values& values, const AskedSnapshot& asked) {
  const auto what = values.get<std::string>("WHAT");
  const auto by = parse_stack_order(values.get<std::vector<std::string>>("ORDER"));
  if (!by) return std::unexpected(by.error());
  const auto profile = asked.snapshot.profile();
  if (!profile) return std::unexpected(profile.error());
  const auto of = parse_allocations_of(*profile, what);
  if (!of) return std::unexpected(of.error());
  Answer answer{.facts = make_stack_facts(asked),
                .table = {.columns = {{"name", "Name"},
                                      {"count", "Count", Unit::count},
                                      {"size", "Size", Unit::bytes},
                                      {"cumulative", "Cumulative", Unit::bytes}}}};
  answer.facts.emplace_back("of", what);
  answer.facts.emplace_back("by", *by);
  for (NodeTotals& row : count_allocations(*profile, *of, *parse_top_by(*by)))
    answer.table.rows.push_back(
        {std::move(row.name), make_count(*profile, row.count), row.size, row.retained});
  return answer;
}

Result<Answer> answer_tree(const Values& values, const AskedSnapshot& asked) {
  auto profile = asked.snapshot.profile();
  if (!profile) return std::unexpected(profile.error());
  const bool is_inverted = values.get<bool>("inverted");
  const std::size_t most = most_rows(values);
  auto rows = make_stack_tree(*profile, is_inverted ? StackTree::inverted : StackTree::from_root,
                              most == SIZE_MAX ? 0 : most, make_limits(values));
  if (!rows) return std::unexpected(rows.error());
  Answer answer{.facts = make_stack_facts(asked),
                .table = {.columns = {{"name", "Name"},
                                      {"depth", ""},
                                      {"count", "Count", Unit::count},
                                      {"size", "Size", Unit::bytes},
                                      {"cumulative", "Cumulative", Unit::bytes}},
                          .indent = 1},
                .is_limited = false};  // the tree was
  answer.facts.emplace_back("tree", is_inverted ? "inverted" : "from root");
  const std::size_t count = rows->size();
  const auto shared = std::make_shared<const AllocationProfile>(std::move(*profile));
  answer.later_rows = {count, [shared, list = std::move(*rows)](std::size_t i) -> std::vector<Cell> {
                         return {std::string(shared->texts[list[i].frame]), std::uint64_t{list[i].depth},
                                 make_count(*shared, list[i].count), list[i].size, list[i].cumulative};
                       }};
  return answer;
}

Table make_profile_summary() {
  return {.key = "snapshots",
          .columns = {{"index", "Snapshot", Unit::number},
                      {"process", "Process"},
                      {"count", "Count", Unit::count},
                      {"size", "Size", Unit::bytes},
                      {"allocators", ""}}};
}

Result<std::vector<Cell>> make_profile_row(const AskedSnapshot& asked) {
  auto profile = asked.snapshot.profile();
  if (!profile) return std::unexpected(profile.error());
  Table allocators{
      .key = "allocators",
      .columns = {
          {"allocator", "Allocator"}, {"count", "Count", Unit::count}, {"size", "Size", Unit::bytes}}};
  for (const NodeTotals& row : count_allocations(*profile, AllocationsOf::allocators, TopBy::size))
    allocators.rows.push_back({row.name, row.count, row.size});
  const NodeTotals total = count_all(*profile);
  return std::vector<Cell>{asked.snapshot.index(), std::move(profile->process), total.count, total.size,
                           std::vector{std::move(allocators)}};
}

int run_tree(const Values& values) { return ask_snapshot(values, answer_tree); }

}  // namespace heapcheck::cli
