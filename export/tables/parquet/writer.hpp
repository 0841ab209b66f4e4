// Writes a table as an Apache Parquet file: row groups of columns that are compressed with zstd.
// spec: parquet.md
#pragma once

#include <memory>

#include "export/tables/table.hpp"
#include "formats/core/output/output_file.hpp"

namespace heapcheck::exports::tables::parquet {

/// The rows of a row group, except for the last one, and for those with long texts, which are smaller.
constexpr std::size_t group_rows = 131'072;

/// Starts a file, which is complete after finish(). Borrows the table's name, its columns and the sink. Keeps
/// one row group in memory. The same rows, added in the same pieces, give the same bytes with the same
/// version of zstd: the size in memory, which ends a row group with long texts, is compared after each piece.
/// Errors of add(): also unwritable if a text has more than 2^30 bytes, because the sizes in a file have 31
/// bits.
[[nodiscard]] std::unique_ptr<TableWriter> open_parquet(const Table& table, core::ByteSink& sink);

}  // namespace heapcheck::exports::tables::parquet
