// The table of snapshots, which is the same for graphs and for allocations by call stack.
#pragma once

#include <optional>
#include <string_view>

#include "export/tables/row_buffer.hpp"
#include "heapcheck/types/format.hpp"

namespace heapcheck::exports::tables {

inline constexpr Column snapshot_columns[] = {
    {"snapshot", ColumnType::integer},    {"file", ColumnType::text},
    {"format", ColumnType::text},         {"process", ColumnType::text, true},
    {"nodes", ColumnType::integer, true}, {"edges", ColumnType::integer, true},
    {"size", ColumnType::integer},
};

struct SnapshotRow {
  std::string_view file;
  Format format{};
  std::uint64_t snapshot = 0;
  std::string_view process = {};            ///< empty if the format has no processes
  std::optional<std::uint64_t> nodes = {};  ///< nothing without a graph
  std::optional<std::uint64_t> edges = {};
  std::uint64_t size = 0;  ///< bytes
};

inline void write_snapshot_row(const SnapshotRow& row, RowBuffer& rows) {
  rows.add(row.snapshot).add(row.file).add(slug_of(row.format));
  rows.add_or_skip(!row.process.empty(), row.process);
  rows.add_or_skip(row.nodes.has_value(), row.nodes.value_or(0));
  rows.add_or_skip(row.edges.has_value(), row.edges.value_or(0)).add(row.size).end_row();
}

}  // namespace heapcheck::exports::tables
