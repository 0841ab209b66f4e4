// The tables of allocations by call stack: their snapshot, the stacks, and the allocations.
#pragma once

#include <span>

#include "export/exporter.hpp"
#include "export/tables/row_buffer.hpp"
#include "export/tables/table.hpp"

namespace heapcheck::exports::tables {

/// A table, and how to write one part of its rows for one snapshot. Errors: those of the writer.
struct StackTable {
  Table table;
  Result<Counts> (*write)(const StacksInput& input, Part part, RowBuffer& rows) = nullptr;
};

[[nodiscard]] std::span<const StackTable> all_stack_tables();

}  // namespace heapcheck::exports::tables
