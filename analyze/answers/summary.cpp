// The question about the content of a file: summary.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "analyze/allocation_times.hpp"
#include "analyze/answers/question.hpp"
#include "analyze/answers/rows.hpp"
#include "analyze/answers/write.hpp"
#include "analyze/stacks.hpp"
#include "formats/core/checked.hpp"

namespace heapcheck::analyze::answers {
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

/// `+1.2 MiB`, `-812 B`, `0 B`.
std::string show_size_change(std::uint64_t before, std::uint64_t after) {
  if (after > before) return "+" + show_bytes(after - before);
  return (after < before ? "-" : "") + show_bytes(before - after);
}

/// The snapshots with their changes.
Table make_changes(Table table) {
  const auto size = std::ranges::find(table.columns, "size", &Column::key) - table.columns.begin();
  const auto size_of = [size](const std::vector<Cell>& row) {
    return std::get<std::uint64_t>(row[static_cast<std::size_t>(size)]);
  };
  table.columns.back() = {"change", "Change"};
  for (std::size_t i = table.rows.size(); i-- > 1;)
    table.rows[i].back() = show_size_change(size_of(table.rows[i - 1]), size_of(table.rows[i]));
  table.rows[0].back() = Cell();
  return table;
}

/// The nodes that were allocated in each of at most 20 intervals of a timeline and are still alive.
Table make_times(const Graph& graph) {
  Table table{.key = "times",
              .columns = {{"from", ""},
                          {"to", ""},
                          {"", "From", Unit::number},
                          {"", "To", Unit::number},
                          {"count", "Count", Unit::count},
                          {"size", "Size", Unit::bytes}}};
  const auto make_cell = [](const std::optional<std::uint64_t>& time) { return time ? Cell(*time) : Cell(); };
  const auto show = [](const std::optional<std::uint64_t>& time) {
    return time ? Cell(fmt::format("{:.3f} s", static_cast<double>(*time) / 1e6)) : Cell();
  };
  for (const AliveInterval& interval : find_alive_intervals(graph))
    table.rows.push_back({make_cell(interval.from), make_cell(interval.to), show(interval.from),
                          show(interval.to), interval.count, interval.size});
  return table;
}

/// The nodes that are part of a page, and those that no longer are.
Table make_states(const Graph& graph) {
  Table table{
      .key = "states",
      .columns = {{"state", "State"}, {"count", "Count", Unit::count}, {"size", "Size", Unit::bytes}}};
  constexpr std::pair<DomState, std::string_view> states[] = {{DomState::detached, "detached"},
                                                              {DomState::attached, "attached"}};
  for (const auto& [state, name] : states) {
    NodeTotals total;
    for (std::uint32_t node = 0; node < graph.node_count(); ++node) {
      if (graph.node_dom_state[node] != state) continue;
      ++total.count;
      total.size = core::saturating_add(total.size, graph.node_size[node]);
    }
    table.rows.push_back({std::string(name), total.count, total.size});
  }
  return table;
}

Result<std::vector<Cell>> make_node_row(const Asked& snapshot) {
  const auto asked = make_asked(snapshot);
  if (!asked) return std::unexpected(asked.error());
  const std::vector<NodeTotals> kinds = asked->heap->kinds();
  std::vector<Cell> row = {asked->snapshot, std::uint64_t{asked->graph().node_count()},
                           asked->graph().edge_count(), add_sizes(kinds)};
  if (!asked->graph().samples.empty()) row.emplace_back(std::vector{make_times(asked->graph())});
  if (!asked->graph().node_dom_state.empty()) row.emplace_back(std::vector{make_states(asked->graph())});
  row.emplace_back(std::vector{make_kinds(kinds)});
  return row;
}

/// The same for one of Chrome's heap dumps.
Result<std::vector<Cell>> make_profile_row(const Asked& asked) {
  auto profile = asked.make_profile();
  if (!profile) return std::unexpected(profile.error());
  Table allocators{
      .key = "allocators",
      .columns = {
          {"allocator", "Allocator"}, {"count", "Count", Unit::count}, {"size", "Size", Unit::bytes}}};
  for (const NodeTotals& row : count_allocations(*profile, AllocationsOf::allocators, TopBy::size))
    allocators.rows.push_back({row.name, make_count(*profile, row.count), row.size});
  const NodeTotals total = count_all(*profile);
  Cell count = make_count(*profile, total.count);
  std::vector<Cell> row{asked.snapshot};
  append_process(asked.process, row);
  row.push_back(std::move(count));
  row.emplace_back(total.size);
  row.emplace_back(std::vector{std::move(allocators)});
  return row;
}

std::vector<Column> columns_of(Family family) {
  if (family == Family::trace)
    return {{"index", "Snapshot", Unit::number},
            process_columns[0],
            process_columns[1],
            process_columns[2],
            process_columns[3],
            {"count", "Count", Unit::count},
            {"size", "Size", Unit::bytes},
            {"allocators", ""}};
  return {{"index", "Snapshot", Unit::number},
          {"nodes", "Nodes", Unit::count},
          {"edges", "Edges", Unit::count},
          {"size", "Size", Unit::bytes},
          {"kinds", ""}};
}

/// Adds the columns of tables that only V8's files have. They come before the last column.
void add_table_columns(const std::vector<Cell>& row, std::vector<Column>& columns) {
  while (columns.size() < row.size()) {
    const Cell& cell = row[columns.size() - 1];
    columns.insert(columns.end() - 1, Column{std::get<std::vector<Table>>(cell).front().key, ""});
  }
}

/// Returns whether the table is about Chrome heap dumps that cannot be compared, because they describe
/// several processes, or because it is unknown which processes they describe.
bool has_processes(const Table& snapshots) {
  if (snapshots.columns[1].key != process_columns[0].key) return false;
  const auto process_of = [](const std::vector<Cell>& row) { return std::get<std::string>(row[1]); };
  const auto is_other = [&](const std::vector<Cell>& row) {
    return std::holds_alternative<NoValue>(row[3]) || process_of(row) != process_of(snapshots.rows[0]);
  };
  return std::ranges::any_of(snapshots.rows, is_other);
}

/// The table inside a row in the column with that key; null if there is no such column.
const Table* find_table(const Table& snapshots, const std::vector<Cell>& row, std::string_view key) {
  const auto column = std::ranges::find(snapshots.columns, key, &Column::key);
  if (column == snapshots.columns.end()) return nullptr;
  const auto place = static_cast<std::size_t>(column - snapshots.columns.begin());
  return &std::get<std::vector<Table>>(row[place]).front();
}

/// The last snapshot that contains memory or, if none does, the last one, like Dump::last_snapshot().
const std::vector<Cell>& find_last(const Table& snapshots) {
  const auto size = std::ranges::find(snapshots.columns, "size", &Column::key) - snapshots.columns.begin();
  const auto has_memory = [size](const std::vector<Cell>& row) {
    return std::get<std::uint64_t>(row[static_cast<std::size_t>(size)]) != 0;
  };
  const auto found = std::find_if(snapshots.rows.rbegin(), snapshots.rows.rend(), has_memory);
  return found == snapshots.rows.rend() ? snapshots.rows.back() : *found;
}

/// The snapshots with their changes if there are several, and the kinds or allocators of the last one.
std::string show_summary(const Table& snapshots, std::size_t most) {
  const bool has_changes = snapshots.rows.size() > 1 && !has_processes(snapshots);
  Table shown = has_changes ? make_changes(snapshots) : snapshots;
  const std::size_t earlier = shown.rows.size() - std::min(most, shown.rows.size());
  shown.rows.erase(shown.rows.begin(), shown.rows.begin() + static_cast<std::ptrdiff_t>(earlier));
  std::string text = show_table(shown);
  if (earlier != 0) text += fmt::format("and {} earlier; --limit N shows N rows\n", show_count(earlier));
  const std::vector<Cell>& last = find_last(snapshots);
  const std::string_view parts = snapshots.columns.back().key == "kinds" ? "Kinds" : "Allocators";
  text = fmt::format("{}\n{} of snapshot {}:\n{}", text, parts, std::get<std::uint64_t>(last[0]),
                     show_table(std::get<std::vector<Table>>(last.back()).front()));
  for (const auto& [key, title] :
       {std::pair("states", "Attached and detached nodes"),
        std::pair("times", "Live nodes, by the time at which they were allocated")}) {
    if (const Table* const table = find_table(snapshots, last, key))
      text += fmt::format("\n{}:\n{}", title, show_table(*table));
  }
  return text;
}

class SnapshotSummaries final : public AnswerMaker {
 public:
  explicit SnapshotSummaries(const Options& options)
      : step_(options.count("every")), most_(options.most_rows()) {}

  Result<void> add(const Asked& asked) override {
    const Family family = family_of(asked.format);
    if (answer_.facts.empty()) {
      answer_.facts = {{"format", std::string(slug_of(asked.format))}};
      answer_.table = {.key = "snapshots", .columns = columns_of(family)};
    }
    if (!asked.lack.empty() || asked.snapshot % step_ != 0) return {};
    auto row = family == Family::trace ? make_profile_row(asked) : make_node_row(asked);
    if (!row) return std::unexpected(row.error());
    if (answer_.table.rows.empty()) add_table_columns(*row, answer_.table.columns);
    answer_.table.rows.push_back(std::move(*row));
    return {};
  }
  Result<Answer> finish() override {
    if (answer_.facts.empty()) return refuse("has no snapshot");
    if (!answer_.table.rows.empty()) answer_.text = show_summary(answer_.table, most_);
    return std::move(answer_);
  }

 private:
  std::uint64_t step_;
  std::size_t most_;
  Answer answer_;
};

}  // namespace

std::unique_ptr<AnswerMaker> make_summary(const Options& options) {
  return std::make_unique<SnapshotSummaries>(options);
}

}  // namespace heapcheck::analyze::answers
