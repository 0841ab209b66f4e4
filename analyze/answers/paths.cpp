// The question about why nodes are still in memory: path.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "analyze/answers/question.hpp"
#include "analyze/answers/rows.hpp"
#include "analyze/answers/write.hpp"
#include "analyze/paths.hpp"
#include "analyze/totals.hpp"
#include "formats/core/stop.hpp"
#include "formats/core/text/counted.hpp"

namespace heapcheck::analyze::answers {
namespace {

/// The steps that several paths may have in total, so that paths through long lists fit in memory.
constexpr std::size_t most_steps = 250'000;

constexpr std::string_view no_path = "no path leads from the root to this node\n";

/// The node named by the `id` option, which is the end of the path.
Result<std::uint32_t> find_end(const Options& options, const AskedHeap& asked) {
  const std::string id = options.text("id");
  if (!id.contains(' ')) return asked.heap->find_node(id);
  return refuse(fmt::format("found \"{}\", expected one id, or a query after --merged", id));
}

Answer show_shortest(const AskedHeap& asked, std::uint32_t node) {
  const std::vector<PathStep> path = asked.heap->path_to(node);
  return {.facts = make_facts(asked.snapshot),
          .table = make_steps(asked.graph(), path),
          .is_limited = false,
          .text = path.empty() ? std::string(no_path) : show_path(asked.graph(), path)};
}

/// `1. 5 edges`, and the path.
std::string show_numbered(const Graph& graph, std::size_t number, const std::vector<PathStep>& path) {
  return fmt::format("{}{}. {}\n\n{}", number == 1 ? "" : "\n", number,
                     core::counted(path.size() - 1, "edge"), show_path(graph, path));
}

Answer show_several(const AskedHeap& asked, std::uint32_t node, std::uint64_t most) {
  const Graph& graph = asked.graph();
  Answer answer{.facts = make_facts(asked.snapshot),
                .table = {.key = "paths", .columns = {{"edges", ""}, {"ids", ""}, {"steps", ""}}},
                .is_limited = false,
                .text = ""};
  std::size_t step_count = 0;
  for (const auto& path : find_paths(graph, node, static_cast<std::size_t>(most), most_steps)) {
    core::check_stop();
    step_count += path.size();
    std::vector<std::uint64_t> ids;
    for (const PathStep& step : path) ids.push_back(graph.node(step.node).id());
    std::vector<Table> steps;
    steps.push_back(make_steps(graph, path));
    // The cells are added one by one, because an initialiser list would copy the lists and the table.
    std::vector<Cell>& row = answer.table.rows.emplace_back();
    row.emplace_back(std::uint64_t{path.size() - 1});
    row.emplace_back(std::move(ids));
    row.emplace_back(std::move(steps));
    *answer.text += show_numbered(graph, answer.table.rows.size(), path);
  }
  const std::size_t count = answer.table.rows.size();
  if (count == 0) answer.text = no_path;
  if (count < most && step_count >= most_steps)
    answer.remarks.push_back(
        {Remark::Kind::note, fmt::format("shows only {} of up to {} paths, which already have {} nodes",
                                         show_count(count), show_count(most), show_count(step_count))});
  return answer;
}

std::vector<Cell> make_merged_row(const AskedHeap& asked, const MergedPathRow& row) {
  return {row.node == 0 ? std::string(root_name) : row.name,
          std::uint64_t{row.depth},
          row.edge ? Cell(*row.edge) : Cell(),
          row.count,
          row.ends,
          make_place(place_of(asked.graph(), row.node, row.count))};
}

/// A row of merged paths, and how many rows it stands for.
struct FoldedRow {
  MergedPathRow row;
  std::uint64_t times = 1;
};

/// For each row, how many rows are directly below it.
std::vector<std::uint64_t> count_below(std::span<const MergedPathRow> rows) {
  std::vector<std::uint64_t> counts(rows.size());
  std::vector<std::size_t> above;  // the rows above the next row, outermost first
  for (std::size_t i = 0; i < rows.size(); ++i) {
    above.resize(rows[i].depth);
    if (!above.empty()) ++counts[above.back()];
    above.push_back(i);
  }
  return counts;
}

/// The rows, with each list folded into one row that has the number of all its nodes. The rows of a list
/// repeat an edge and a type, each below the one before it, and only the last one may have other rows below
/// it.
std::vector<FoldedRow> fold(std::span<const MergedPathRow> rows) {
  const std::vector<std::uint64_t> below = count_below(rows);
  const auto repeats = [&](std::size_t i) {
    const auto& [row, before] = std::tie(rows[i], rows[i - 1]);
    return below[i - 1] == 1 && row.depth == before.depth + 1 && row.edge == before.edge &&
           row.name == before.name;
  };
  std::vector<FoldedRow> folded;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> left_out;  // the depth of a list's end, and its levels
  for (std::size_t i = 0; i < rows.size();) {
    std::size_t times = 1;
    while (i + times < rows.size() && repeats(i + times)) ++times;
    if (times < 3) times = 1;  // two equal rows take hardly more room than a fold
    while (!left_out.empty() && rows[i].depth <= left_out.back().first) left_out.pop_back();
    FoldedRow& to = folded.emplace_back(rows[i], times);
    for (const auto& [depth, levels] : left_out) to.row.depth -= levels;
    for (std::size_t j = 1; j < times; ++j) to.row.count += rows[i + j].count;
    if (times > 1) left_out.emplace_back(rows[i + times - 1].depth, static_cast<std::uint32_t>(times - 1));
    i += times;
  }
  return folded;
}

/// Keeps the `most` rows to which the most paths lead. A row is never kept without the rows above it, to
/// which at least as many lead.
void keep_largest(std::vector<FoldedRow>& rows, std::size_t most) {
  if (rows.size() <= most) return;
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&rows](std::size_t a, std::size_t b) {
    return rows[a].row.ends != rows[b].row.ends ? rows[a].row.ends > rows[b].row.ends : a < b;
  });
  order.resize(most);
  std::ranges::sort(order);
  std::vector<FoldedRow> kept;
  for (const std::size_t i : order) kept.push_back(std::move(rows[i]));
  rows = std::move(kept);
}

/// The merged paths for text output: at most `most` rows, and how many there are.
struct FoldedPaths {
  std::vector<FoldedRow> rows;
  std::size_t left_out = 0;  ///< rows that are not among them
  RowCount all = {};         ///< before lists were folded
};
FoldedPaths find_folded(const AskedHeap& asked, std::span<const std::uint32_t> nodes, std::size_t most) {
  // A list has as many rows as nodes before it is folded, so more rows are needed than are shown.
  constexpr std::uint64_t first_limit = 10'000;
  constexpr std::uint64_t last_limit = 640'000;
  for (std::uint64_t limit = first_limit;; limit *= 8) {
    const auto rows = asked.heap->merge_paths(nodes, limit);
    std::vector<FoldedRow> folded = fold(rows);
    if (folded.size() <= most && rows.size() > limit && limit < last_limit) continue;
    const std::size_t all = folded.size();
    keep_largest(folded, most);
    const std::size_t left_out = all - folded.size();
    return {.rows = std::move(folded),
            .left_out = left_out,
            .all = {.rows = rows.size(), .is_complete = rows.size() <= limit}};
  }
}

/// The table for text output, with the columns of `like`. The edge of a list shows how often it occurs.
Table make_folded(const AskedHeap& asked, const std::vector<FoldedRow>& rows, const Table& like) {
  Table table{.columns = like.columns, .indent = like.indent};
  for (const auto& [row, times] : rows) {
    std::vector<Cell>& cells = table.rows.emplace_back(make_merged_row(asked, row));
    if (times > 1)
      cells[2] = fmt::format("{} x {}", row.edge->empty() ? "Unknown" : *row.edge, show_count(times));
  }
  return table;
}

Result<Answer> show_merged(const Options& options, const AskedHeap& asked) {
  const auto nodes = asked.heap->find(options.text("id"));
  if (!nodes) return std::unexpected(nodes.error());
  Answer answer{.facts = make_facts(asked.snapshot),
                .table = {.columns = {{"name", "Name"},
                                      {"depth", ""},
                                      {"edge", "Edge", Unit::label},
                                      {"nodes", "Nodes", Unit::count},
                                      {"paths", "Paths", Unit::count},
                                      {"place", "", Unit::place}},
                          .indent = 1},
                .is_limited = false};  // the tree was limited instead
  const std::size_t most = options.most_rows();
  // The root is a row, too, and 0 would mean all rows.
  std::vector<MergedPathRow> rows = asked.heap->merge_paths(*nodes, std::max<std::size_t>(most, 2) - 1);
  rows.resize(std::min(rows.size(), most));
  for (const MergedPathRow& row : rows) answer.table.rows.push_back(make_merged_row(asked, row));
  const FoldedPaths folded = find_folded(asked, *nodes, most);
  if (rows.size() == most) add_left_out(folded.all, most, answer);
  answer.text = show_table(make_folded(asked, folded.rows, answer.table));
  if (folded.left_out != 0)
    *answer.text += fmt::format("and {} more; {}\n", show_count(folded.left_out), answer.more_hint);
  return answer;
}

}  // namespace

Result<void> check_merged(const Options& options) {
  return options.flag("merged") ? Heap::check_query(options.text("id")) : Result<void>();
}

Result<Answer> answer_path(const Options& options, const AskedHeap& asked) {
  if (options.flag("merged")) return show_merged(options, asked);
  const auto node = find_end(options, asked);
  if (!node) return std::unexpected(node.error());
  const auto most = options.count("paths");
  return most == 1 ? show_shortest(asked, *node) : show_several(asked, *node, most);
}

}  // namespace heapcheck::analyze::answers
