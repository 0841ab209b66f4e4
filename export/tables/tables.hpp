// All tables: the tables of a graph (its snapshot, nodes, edges, types, strings and the stacks that allocated
// its nodes), and the tables of allocations by call stack.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "export/form.hpp"
#include "export/tables/row_buffer.hpp"
#include "export/tables/table.hpp"
#include "heapcheck/types/format.hpp"
#include "heapcheck/types/process.hpp"
#include "heapcheck/types/profile.hpp"

namespace heapcheck::exports::tables {

inline constexpr Column snapshot_columns[] = {
    {"snapshot", ColumnType::integer},    {"file", ColumnType::text},
    {"format", ColumnType::text},         {"process", ColumnType::text, true},
    {"nodes", ColumnType::integer, true}, {"edges", ColumnType::integer, true},
    {"size", ColumnType::integer},        {"process_type", ColumnType::text, true},
    {"pid", ColumnType::integer, true},   {"dump", ColumnType::text, true},
};

/// These columns are the same for all dumps with call stacks, whether they have graphs, as timelines do, or
/// not.
inline constexpr Column stack_columns[] = {
    {"snapshot", ColumnType::integer},
    {"stack", ColumnType::integer},
    {"caller", ColumnType::integer, true},
    {"depth", ColumnType::integer},
    {"frame", ColumnType::text},
    {"script", ColumnType::text, true},
    {"line", ColumnType::integer, true},
    {"column_number", ColumnType::integer, true},
    {"size", ColumnType::integer},
    {"cumulative", ColumnType::integer},
    {"object_count", ColumnType::integer, true},
    {"allocated_size", ColumnType::integer, true},
    {"allocated_count", ColumnType::integer, true},
};

inline const DumpProcess no_process;

struct SnapshotRow {
  std::string_view file;
  Format format{};
  std::uint64_t snapshot = 0;
  std::optional<std::uint64_t> nodes = {};  ///< empty if there is no graph
  std::optional<std::uint64_t> edges = {};
  std::uint64_t size = 0;                   ///< bytes
  const DumpProcess& process = no_process;  ///< in a trace
};

inline void write_snapshot_row(const SnapshotRow& row, RowBuffer& rows) {
  rows.add(row.snapshot).add(row.file).add(slug_of(row.format));
  rows.add_or_skip(!row.process.name.empty(), row.process.name);
  rows.add_or_skip(row.nodes.has_value(), row.nodes.value_or(0));
  rows.add_or_skip(row.edges.has_value(), row.edges.value_or(0)).add(row.size);
  rows.add_or_skip(!row.process.type.empty(), row.process.type);
  // The columns of tables have no negative numbers.
  const std::int64_t pid = row.process.pid.value_or(-1);
  rows.add_or_skip(pid >= 0, static_cast<std::uint64_t>(pid));
  rows.add_or_skip(!row.process.dump.empty(), row.process.dump).end_row();
}

/// A table, and the function that writes one part of its rows for one snapshot. Errors: any error of the
/// writer.
struct GraphTable {
  Table table;
  Result<Counts> (*write)(const GraphInput& input, Part part, RowBuffer& rows) = nullptr;
};

[[nodiscard]] std::span<const GraphTable> all_graph_tables();

/// A table, and the function that writes one part of its rows for one snapshot. Errors: any error of the
/// writer.
struct StackTable {
  Table table;
  Result<Counts> (*write)(const StacksInput& input, Part part, RowBuffer& rows) = nullptr;
};

[[nodiscard]] std::span<const StackTable> all_stack_tables();

/// Writes one part of the rows with the columns `stack_columns`. Errors: any error of the writer.
Result<Counts> write_stack_rows(std::uint64_t snapshot, const AllocationProfile& profile, Part part,
                                RowBuffer& rows);

}  // namespace heapcheck::exports::tables
