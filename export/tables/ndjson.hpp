// Writes a table as NDJSON: one JSON object on each line. A missing value has no member.
#pragma once

#include <memory>

#include "export/tables/table.hpp"
#include "formats/core/output/output_file.hpp"

namespace heapcheck::exports::tables {

/// Borrows the table and the sink.
[[nodiscard]] std::unique_ptr<TableWriter> open_ndjson(const Table& table, core::ByteSink& sink);

}  // namespace heapcheck::exports::tables
