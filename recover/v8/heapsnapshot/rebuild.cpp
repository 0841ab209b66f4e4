#include "recover/v8/heapsnapshot/rebuild.hpp"

#include <algorithm>

namespace heapcheck::recovery::v8::heapsnapshot {

using format::ChunkedColumn;
using format::Table;

void replace_column(Snapshot& snapshot, Section section, std::string_view field, ChunkedColumn column) {
  if (const auto index = snapshot.schema.find_field(section, field))
    snapshot.table(section).columns[*index] = std::move(column);
}

RowSet find_whole_rows(const Table& table) {
  RowSet rows(static_cast<std::size_t>(table.row_count()), true);
  const std::uint64_t columns = table.columns.size();
  for (const std::uint64_t value : table.wrong) {
    if (columns != 0 && value / columns < rows.size())
      rows[static_cast<std::size_t>(value / columns)] = false;
  }
  if (table.is_last_open && !rows.empty() && table.value_count == rows.size() * columns) rows.back() = false;
  return rows;
}

void cut_rows(RowSet& rows, std::uint64_t count) {
  std::fill(rows.begin() + static_cast<std::ptrdiff_t>(count), rows.end(), false);
}

std::uint64_t keep_rows(Table& table, const RowSet& kept) {
  const auto count = static_cast<std::uint64_t>(std::ranges::count(kept, true));
  const std::uint64_t dropped = table.row_count() - count;
  for (ChunkedColumn& column : table.columns) {
    if (dropped == 0) break;
    ColumnBuilder rest;
    for_each_value(column, [&](std::uint64_t row, std::uint64_t value) {
      if (kept[static_cast<std::size_t>(row)]) rest.add(value);
    });
    column = rest.finish();
  }
  table.wrong.clear();
  table.value_count = count * table.columns.size();
  table.extent = format::Extent::whole;
  table.is_last_open = false;
  return dropped;
}

ChunkedColumn fit_counts(const ChunkedColumn& counts, const RowSet& owners, std::uint64_t known,
                         RowSet& rows) {
  std::size_t next = 0;
  ChunkedColumn fitted = make_column(counts, [&](std::uint64_t owner, std::uint64_t count) {
    const std::uint64_t own = owner < known ? std::min<std::uint64_t>(count, rows.size() - next) : 0;
    const bool is_kept = owners[static_cast<std::size_t>(owner)];
    std::uint64_t kept = 0;
    for (const std::size_t end = next + static_cast<std::size_t>(own); next < end; ++next) {
      rows[next] = rows[next] && is_kept;
      kept += rows[next] ? 1U : 0U;
    }
    return kept;
  });
  cut_rows(rows, next);
  return fitted;
}

std::uint64_t count_known(const Table& table, std::size_t column) {
  const std::uint64_t columns = table.columns.size();
  for (const std::uint64_t value : table.wrong) {
    if (value % columns == column) return value / columns;
  }
  return table.row_count();
}

}  // namespace heapcheck::recovery::v8::heapsnapshot
