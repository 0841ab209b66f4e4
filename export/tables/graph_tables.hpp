// The tables of a graph: its snapshot, nodes, edges, types and strings.
#pragma once

#include <span>

#include "export/exporter.hpp"
#include "export/tables/row_buffer.hpp"
#include "export/tables/table.hpp"

namespace heapcheck::exports::tables {

/// A table, and how to write one part of its rows for one snapshot. Errors: those of the writer.
struct GraphTable {
  Table table;
  Result<Counts> (*write)(const GraphInput& input, Part part, RowBuffer& rows) = nullptr;
};

[[nodiscard]] std::span<const GraphTable> all_graph_tables();

}  // namespace heapcheck::exports::tables
