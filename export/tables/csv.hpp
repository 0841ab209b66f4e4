// Writes a table as comma-separated values (RFC 4180, but with line feeds). The first line has the names of
// the columns. A missing value is an empty field, and an empty text is "".
#pragma once

#include <memory>

#include "export/tables/table.hpp"
#include "formats/core/output/output_file.hpp"

namespace heapcheck::exports::tables {

/// Borrows the table and the sink.
[[nodiscard]] std::unique_ptr<TableWriter> open_csv(const Table& table, core::ByteSink& sink);

}  // namespace heapcheck::exports::tables
