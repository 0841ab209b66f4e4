#include <fmt/format.h>

#include <charconv>
#include <system_error>

#include "cli/ask/ask.hpp"
#include "cli/ask/questions.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"

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
  std::uint64_t step = 0;
  const std::string& number = words.back();
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), step);
  const bool is_number = error == std::errc() && end == number.data() + number.size() && step != 0;
  if (words.size() == 2 && words[0] == "every" && is_number) return step;
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

/// The snapshots with their changes if there are several, and the kinds of the last one.
std::string show_summary(const Table& snapshots, std::size_t most) {
  const std::string text = show_table(snapshots.rows.size() > 1 ? make_changes(snapshots) : snapshots, most);
  const std::vector<Cell>& last = snapshots.rows.back();
  return fmt::format("{}\nKinds of snapshot {}:\n{}", text, std::get<std::uint64_t>(last[0]),
                     show_table(std::get<std::vector<Table>>(last.back()).front()));
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
  return ask_each(
      values,
      [&](const Asked& asked) {
        if (asked.snapshot % *step != 0) return;
        if (!all.table.rows.empty()) return all.table.rows.push_back(make_summary_row(asked));
        all = *answer_summary(values, asked);
      },
      [&] {
        if (!all.table.rows.empty()) all.text = show_summary(all.table, most_rows(values));
        return all;
      });
}

}  // namespace heapcheck::cli
