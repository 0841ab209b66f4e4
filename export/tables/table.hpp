// The tables to which a snapshot is exported in any form: their names, their columns, and rows on the way to
// a file. The input is rows as columns. The output is written to a sink as bytes, or to a database.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "heapcheck/types/result.hpp"

namespace heapcheck::exports::tables {

enum class ColumnType : std::uint8_t {
  integer,  ///< signed, 64 bits; never negative
  text,     ///< UTF-8
};

struct Column {
  std::string_view name;
  ColumnType type{};
  bool is_optional = false;  ///< whether a row may have no value in this column
};

struct Table {
  std::string_view name;  ///< such as `nodes`
  std::span<const Column> columns;
};

/// The values of one column in some rows. Either `integers` or `texts` has one element for each row, and the
/// other is empty. The strings in `texts` are borrowed until the rows have been written. Equal strings often
/// have the same address.
struct Values {
  std::vector<std::int64_t> integers;
  std::vector<std::string_view> texts;
  /// For optional columns, 1 for each row with a value and 0 for each row without one. In rows without a
  /// value, the element in `integers` or `texts` is meaningless. Empty for other columns.
  std::vector<std::uint8_t> is_present;

  /// Whether a row has a value.
  [[nodiscard]] bool has(std::size_t row) const { return is_present.empty() || is_present[row] != 0; }
};

/// Some consecutive rows of a table, with values for each of its columns.
struct Rows {
  std::size_t count = 0;
  std::vector<Values> columns;
};

/// The largest number of rows that are written at once.
constexpr std::size_t most_rows = 16'384;

/// Writes one table. Keeps neither the rows nor their strings.
class TableWriter {
 public:
  TableWriter() = default;
  TableWriter(const TableWriter&) = delete;
  TableWriter& operator=(const TableWriter&) = delete;
  virtual ~TableWriter() = default;

  /// Appends rows, at most `most_rows`. Errors: unwritable.
  virtual Result<void> add(const Rows& rows) = 0;
  /// Writes the rest. Call this once. Errors: unwritable.
  virtual Result<void> finish() = 0;
};

}  // namespace heapcheck::exports::tables
