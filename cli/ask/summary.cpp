#include <fmt/format.h>

#include <charconv>
#include <system_error>

#include "cli/ask/ask.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "formats/core/checked.hpp"

namespace heapcheck::cli {
namespace {

std::uint64_t add_sizes(const std::vector<NodeTotals>& kinds) {
  std::uint64_t size = 0;
  for (const NodeTotals& kind : kinds) size = core::saturating_add(size, kind.size);
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

/// The snapshots with their changes, and the kinds of the last one.
std::string show_snapshots(const Answer& answer, std::uint64_t most) {
  Table table = answer.table;
  table.columns.back() = {"change", "Change"};
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const auto size_of = [&](std::size_t row) { return std::get<std::uint64_t>(answer.table.rows[row][3]); };
    table.rows[i].back() = i == 0 ? Cell() : Cell(show_change(size_of(i - 1), size_of(i)));
  }
  if (table.rows.size() == 1) {
    table.columns.pop_back();
    table.rows[0].pop_back();
  }
  std::string text = show_table(table, most);
  const Table& kinds = std::get<std::vector<Table>>(answer.table.rows.back().back()).front();
  text += fmt::format("\nKinds of snapshot {}:\n", std::get<std::uint64_t>(answer.table.rows.back()[0]));
  return text + show_table(kinds, 0);
}

}  // namespace

int run_summary(const Values& values) {
  const auto step = parse_step(values.get<std::vector<std::string>>("EVERY"));
  if (!step) {
    print_error(step.error().message);
    return usage;
  }
  Answer answer{.table = {.key = "snapshots",
                          .columns = {{"index", "Snapshot", Unit::number},
                                      {"nodes", "Nodes", Unit::count},
                                      {"edges", "Edges", Unit::count},
                                      {"size", "Size", Unit::bytes},
                                      {"kinds", ""}}}};
  return ask_each(
      values,
      [&](const Asked& asked) {
        if (asked.snapshot % *step != 0) return;
        if (answer.facts.empty()) answer.facts.emplace_back("format", std::string(slug_of(asked.format)));
        const std::vector<NodeTotals> kinds = asked.heap.kinds();
        answer.table.rows.push_back({asked.snapshot, std::uint64_t{asked.heap.graph().node_count()},
                                     asked.heap.graph().edge_count(), add_sizes(kinds),
                                     std::vector{make_kinds(kinds)}});
      },
      [&] {
        answer.text = show_snapshots(answer, limit_of(values));
        return answer;
      });
}

}  // namespace heapcheck::cli
