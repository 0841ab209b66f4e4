// The rows of a section whose array lost values or gained some. Rows before the damage are found by counting
// from the first value of the array; rows after it, by counting from the last. Borrows the table.
#pragma once

#include <algorithm>
#include <cstdint>

#include "formats/v8/heapsnapshot/table.hpp"

namespace heapcheck::recovery::v8::heapsnapshot {

/// The number of values that can be used, up to the first incomplete one.
[[nodiscard]] inline std::uint64_t count_values(const heapcheck::v8::heapsnapshot::Table& table) {
  const std::uint64_t count = table.row_count() * table.columns.size() + table.rest.size();
  return count - (table.is_last_open && count != 0 ? 1U : 0U);
}

class AlignedRows {
 public:
  /// Rows counted from the first value. `count` is the number of rows that the array had before the damage.
  [[nodiscard]] static AlignedRows from_front(const heapcheck::v8::heapsnapshot::Table& table,
                                              std::uint64_t count) {
    return {table, count, 0};
  }
  /// Rows counted from the last value. The table must be whole.
  [[nodiscard]] static AlignedRows from_back(const heapcheck::v8::heapsnapshot::Table& table,
                                             std::uint64_t count) {
    return {table, count, table.value_count - count * table.columns.size()};
  }

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] std::uint64_t column_count() const { return table_->columns.size(); }
  /// The number of complete rows in the array.
  [[nodiscard]] std::uint64_t readable_count() const { return value_count_ / column_count(); }
  /// Whether all values of a row were read.
  [[nodiscard]] bool has(std::uint64_t row) const {
    const std::uint64_t first = find_value(row, 0);
    return row < count_ && first < value_count_ && column_count() <= value_count_ - first;
  }
  /// The value in a row that was read.
  [[nodiscard]] std::uint64_t get(std::uint64_t row, std::size_t column) const {
    const std::uint64_t value = find_value(row, column);
    const std::uint64_t at = value / column_count();
    if (at < table_->row_count()) return table_->columns[value % column_count()][at];
    return table_->rest[static_cast<std::size_t>(value % column_count())];
  }
  /// Whether a value in a row that was read is an integer.
  [[nodiscard]] bool is_integer(std::uint64_t row, std::size_t column) const {
    return table_->wrong.empty() || !std::ranges::binary_search(table_->wrong, find_value(row, column));
  }
  [[nodiscard]] bool is_integer_row(std::uint64_t row) const {
    for (std::size_t i = 0; i < column_count(); ++i) {
      if (!is_integer(row, i)) return false;
    }
    return true;
  }

 private:
  AlignedRows(const heapcheck::v8::heapsnapshot::Table& table, std::uint64_t count, std::uint64_t first)
      : table_(&table), count_(count), first_(first), value_count_(count_values(table)) {}

  /// The index of a value in the array. It is computed modulo 2^64, so that the first row may begin before
  /// the array.
  [[nodiscard]] std::uint64_t find_value(std::uint64_t row, std::size_t column) const {
    return first_ + row * column_count() + column;
  }

  const heapcheck::v8::heapsnapshot::Table* table_;
  std::uint64_t count_;
  std::uint64_t first_;
  std::uint64_t value_count_;
};

}  // namespace heapcheck::recovery::v8::heapsnapshot
