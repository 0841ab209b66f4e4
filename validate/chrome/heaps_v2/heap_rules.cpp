
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

#include "formats/core/checked.hpp"
#include "validate/chrome/heaps_v2/rules.hpp"

namespace heapcheck::validation::chrome::heaps_v2 {
namespace {

using heapcheck::chrome::heaps_v2::column_count;
using heapcheck::chrome::heaps_v2::no_id;

constexpr std::array columns{HeapColumn::nodes, HeapColumn::types, HeapColumn::counts, HeapColumn::sizes};
constexpr std::array<std::string_view, column_count> names{"nodes", "types", "counts", "sizes"};

std::string_view name_of_column(HeapColumn column) { return names[static_cast<std::size_t>(column)]; }

/// The sum of a column. If the sum does not fit in 64 bits, reports that and returns nothing.
std::optional<std::uint64_t> find_sum(const Dump& dump, const Heap& heap, HeapColumn column,
                                      core::FindingSink& sink) {
  std::uint64_t sum = 0;
  const auto& values = heap[column].values;
  for (std::uint64_t row = 0; row < values.size(); ++row) {
    const auto next = core::checked_add(sum, values[row]);
    if (!next) {
      core::report_or_count(sink, {&rules::columns_sum, locate(dump, heap, column, row),
                                   fmt::format("the {} add up to 2^64 or more, expected at most 2^64 - 1",
                                               name_of_column(column))});
      return std::nullopt;
    }
    sum = *next;
  }
  return sum;
}

/// Checks that no row has more objects than bytes. If the sizes do not add up to the total, each size may be
/// that of a single object, as in Chrome 62.
void check_counts(const Dump& dump, const Heap& heap, core::FindingSink& sink) {
  const auto& sizes = heap[HeapColumn::sizes].values;
  const auto& counts = heap[HeapColumn::counts].values;
  std::uint64_t rows = 0;
  std::uint64_t first = 0;
  for (std::uint64_t row = 0; row < sizes.size(); ++row) {
    if (sizes[row] == 0 || counts[row] <= sizes[row]) continue;
    if (rows++ == 0) first = row;
  }
  if (rows == 0) return;
  core::report_or_count(sink,
                        {&rules::rows_count, locate(dump, heap, HeapColumn::counts, first),
                         fmt::format("{} more objects than bytes, expected at least one byte for each object",
                                     rows == 1 ? "1 row has" : fmt::format("{} rows have", rows))});
}

/// Returns whether the rows are sorted by node and type and have no duplicates, as in dumps from Chrome.
bool is_ordered(const std::vector<std::uint64_t>& nodes, const std::vector<std::uint64_t>& types) {
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    if (nodes[i - 1] > nodes[i] || (nodes[i - 1] == nodes[i] && types[i - 1] >= types[i])) return false;
  }
  return true;
}

/// The rows, sorted by node and type; equal rows stay in file order.
std::vector<std::uint64_t> sort_rows(const std::vector<std::uint64_t>& nodes,
                                     const std::vector<std::uint64_t>& types) {
  std::vector<std::uint64_t> rows(nodes.size());
  std::iota(rows.begin(), rows.end(), std::uint64_t{0});
  std::ranges::sort(rows, {}, [&](std::uint64_t row) { return std::tuple(nodes[row], types[row], row); });
  return rows;
}

void check_duplicates(const Dump& dump, const Heap& heap, core::FindingSink& sink) {
  const auto& nodes = heap[HeapColumn::nodes].values;
  const auto& types = heap[HeapColumn::types].values;
  // Rows in strictly ascending order have no duplicates, so there is no need to sort them.
  if (is_ordered(nodes, types)) return;
  const auto rows = sort_rows(nodes, types);
  std::uint64_t count = 0;
  std::uint64_t first = 0;
  std::uint64_t before = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (nodes[rows[i - 1]] != nodes[rows[i]] || types[rows[i - 1]] != types[rows[i]]) continue;
    if (count++ != 0 && rows[i] > first) continue;
    first = rows[i];
    before = rows[i - 1];
  }
  if (count == 0) return;
  const bool is_one = count == 1;
  Finding finding{&rules::rows_duplicate, locate(dump, heap, HeapColumn::nodes, first),
                  fmt::format("{} the node and type of an earlier row, expected one row for each pair",
                              is_one ? "1 row has" : fmt::format("{} rows have", count))};
  finding.related.push_back({locate(dump, heap, HeapColumn::nodes, before), "the earlier row"});
  core::report_or_count(sink, std::move(finding));
}

void check_no_stack(const Dump& dump, const Heap& heap, const Scope& scope, core::FindingSink& sink) {
  std::uint64_t count = 0;
  std::uint64_t first = 0;
  const auto& nodes = heap[HeapColumn::nodes].values;
  for (std::uint64_t row = 0; row < nodes.size(); ++row) {
    if (nodes[row] != no_id && (nodes[row] != UINT32_MAX || scope.find(MapKind::nodes, UINT32_MAX))) continue;
    if (count++ == 0) first = row;
  }
  if (count == 0) return;
  core::report_or_count(sink, {&rules::rows_no_stack, locate(dump, heap, HeapColumn::nodes, first),
                               fmt::format("{} the node -1, expected 0 for memory without a stack",
                                           count == 1 ? "1 row has" : fmt::format("{} rows have", count))});
}

}  // namespace

bool check_columns(const Dump& dump, const Heap& heap, core::FindingSink& sink) {
  const auto longest =
      std::ranges::max(columns, {}, [&](HeapColumn column) { return heap[column].values.size(); });
  const std::size_t count = heap[longest].values.size();
  // If the lengths differ, a missing column is the cause, and the other columns may appear wrong only because
  // of it.
  for (const HeapColumn column : columns) {
    if (heap[column].is_present || count == 0) continue;
    core::report_or_count(sink, {&rules::columns_missing, locate(dump, heap),
                                 fmt::format("found no column `{}`, expected one of length {}, like `{}`",
                                             name_of_column(column), count, name_of_column(longest))});
    return false;
  }
  for (const HeapColumn column : columns) {
    if (heap[column].values.size() == count) continue;
    core::report_or_count(
        sink, {&rules::columns_length, locate(dump, heap, column),
               fmt::format("`{}` has length {}, expected {}, the length of `{}`", name_of_column(column),
                           heap[column].values.size(), count, name_of_column(longest))});
    return false;
  }
  return true;
}

void check_sums(const Dump& dump, const Heap& heap, core::FindingSink& sink) {
  find_sum(dump, heap, HeapColumn::counts, sink);
  const auto sum = find_sum(dump, heap, HeapColumn::sizes, sink);
  if (!sum) return;
  check_total(dump, heap, *sum, sink);
  if (is_confirmed(dump, heap, *sum)) check_counts(dump, heap, sink);
}

void check_rows(const Dump& dump, const Heap& heap, const Scope& scope, core::FindingSink& sink) {
  check_duplicates(dump, heap, sink);
  check_no_stack(dump, heap, scope, sink);
}

}  // namespace heapcheck::validation::chrome::heaps_v2
