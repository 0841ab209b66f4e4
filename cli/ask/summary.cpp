#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <system_error>
#include <utility>

#include "cli/ask/ask.hpp"
#include "cli/ask/questions.hpp"
#include "cli/ask/stacks.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "formats/core/text/parse_number.hpp"

namespace heapcheck::cli {
namespace {

std::uint64_t add_sizes(const std::vector<NodeTotals>& kinds) {
  std::uint64_t size = 0;
  for (const NodeTotals& kind : kinds) size = kind.size > UINT64_MAX - size ? UINT64_MAX : size + kind.size;
  return size;
}

Table make_kinds(const std::vector<NodeTotals>& kinds) {
  Table table{.key = "kinds",
              .columns = {{"kind", "Kind"}, {"count", "Count", Unit::count}, {"size", "Size", Unit::bytes}}};
  for (const NodeTotals& kind : kinds) table.rows.push_back({kind.name, kind.count, kind.size});
  return table;
}

/// `every N`, or nothing.
Result<std::uint64_t> parse_step(const std::vector<std::string>& words) {
  if (words.empty()) return 1;
  const std::uint64_t step = core::parse_number(words.back()).value_or(0);
  if (words.size() == 2 && words[0] == "every" && step != 0) return step;
  return std::unexpected(
      Error{ErrorKind::unsupported,
            fmt::format("found \"{}\", expected every N with N above 0", fmt::join(words, " "))});
}

/// `+1.2 MiB`, `-812 B`, `0 B`.
std::string show_change(std::uint64_t before, std::uint64_t after) {
  if (after > before) return "+" + show_bytes(after - before);
  return (after < before ? "-" : "") + show_bytes(before - after);
}

/// The snapshots with their changes.
Table make_changes(Table table) {
  const auto size_of = [](const std::vector<Cell>& row) { return std::get<std::uint64_t>(row[3]); };
  table.columns.back() = {"change", "Change"};
  for (std::size_t i = table.rows.size(); i-- > 1;)
    table.rows[i].back() = show_change(size_of(table.rows[i - 1]), size_of(table.rows[i]));
  table.rows[0].back() = Cell();
  return table;
}

std::vector<Cell> make_summary_row(const Asked& asked) {
  const std::vector<NodeTotals> kinds = asked.heap.kinds();
  return {asked.snapshot, std::uint64_t{asked.heap.graph().node_count()}, asked.heap.graph().edge_count(),
          add_sizes(kinds), std::vector{make_kinds(kinds)}};
}

/// Returns whether the table is about Chrome's heap dumps of several processes, which have nothing in common.
bool has_processes(const Table& snapshots) {
  if (snapshots.columns[1].key != "process") return false;
  const auto process_of = [](const std::vector<Cell>& row) { return std::get<std::string>(row[1]); };
  return std::ranges::adjacent_find(snapshots.rows, std::ranges::not_equal_to(), process_of) !=
         snapshots.rows.end();
}

/// The snapshots with their changes if there are several, and the kinds or allocators of the last one.
std::string show_summary(const Table& snapshots, std::size_t most) {
  const bool has_changes = snapshots.rows.size() > 1 && !has_processes(snapshots);
  Table shown = has_changes ? make_changes(snapshots) : snapshots;
  const std::size_t earlier = shown.rows.size() - std::min(most, shown.rows.size());
  shown.rows.erase(shown.rows.begin(), shown.rows.begin() + static_cast<std::ptrdiff_t>(earlier));
  std::string text = show_table(shown);
  if (earlier != 0) text += fmt::format("and {} before; --limit N shows N rows\n", show_count(earlier));
  const std::vector<Cell>& last = snapshots.rows.back();
  const std::string_view parts = snapshots.columns.back().key == "kinds" ? "Kinds" : "Allocators";
  return fmt::format("{}\n{} of snapshot {}:\n{}", text, parts, std::get<std::uint64_t>(last[0]),
                     show_table(std::get<std::vector<Table>>(last.back()).front()));
}

/// The summary of one of Chrome's heap dumps.
Result<Answer> summarise_profile(const AskedSnapshot& asked) {
  auto row = make_profile_row(asked);
  if (!row) return std::unexpected(row.error());
  Answer answer{.facts = {{"format", std::string(slug_of(asked.format))}}, .table = make_profile_summary()};
  answer.table.rows.push_back(std::move(*row));
  return answer;
}

/// The summary of one snapshot.
Result<Answer> summarise(const Values& values, const AskedSnapshot& snapshot) {
  if (family_of(snapshot.format) == Family::trace) return summarise_profile(snapshot);
  const auto asked = make_asked(snapshot);
  if (!asked) return std::unexpected(asked.error());
  return answer_summary(values, *asked);
}

}  // namespace

Result<Answer> answer_summary(const Values& values, const Asked& asked) {
  Answer answer{.facts = {{"format", std::string(slug_of(asked.format))}},
                .table = {.key = "snapshots",
                          .columns = {{"index", "Snapshot", Unit::number},
                                      {"nodes", "Nodes", Unit::count},
                                      {"edges", "Edges", Unit::count},
                                      {"size", "Size", Unit::bytes},
                                      {"kinds", ""}},
                          .rows = {make_summary_row(asked)}}};
  answer.text = show_summary(answer.table, most_rows(values));
  return answer;
}

int run_summary(const Values& values) {
  const auto step = parse_step(values.get<std::vector<std::string>>("EVERY"));
  if (!step) {
    print_error(step.error().message);
    return usage;
  }
  Answer all;
  const auto visit = [&](const AskedSnapshot& snapshot) -> Result<void> {
    if (snapshot.snapshot.index() % *step != 0) return {};
    auto part = summarise(values, snapshot);
    if (!part) return std::unexpected(part.error());
    if (all.table.rows.empty())
      all = std::move(*part);
    else
      all.table.rows.push_back(std::move(part->table.rows.front()));
    return {};
  };
  return ask_snapshots(values, {find_wanted(values, Which::all)}, visit, [&] {
    if (!all.table.rows.empty()) all.text = show_summary(all.table, most_rows(values));
    return all;
  });
}

}  // namespace heapcheck::cli
