// The rows of a section whose array lost or gained values. Rows before the damage are found by counting from
// the first value of the array, and rows after it by counting from the last value. Borrows the table.
#pragma once

#include <algorithm>
#include <cstdint>

#include "formats/v8/heapsnapshot/table.hpp"

namespace heapcheck::recovery::v8::heapsnapshot {

/// The number of values that can be used, up to the first incomplete value.
[[nodiscard]] inline std::uint64_t count_values(const heapcheck::v8::heapsnapshot::Table& table) {
  const std::uint64_t count = table.row_count() * table.columns.size() + table.rest.size();
  return count - (table.is_last_open && count != 0 ? 1U : 0U);
}

class AlignedRows {
 public:
  /// Rows counted from the first value. `count` is the number of rows that the array had before the damage.
  [[nodiscard]] static AlignedRows from_front(const heapcheck::v8::heapsnapshot::Table& table,
                                              std::uint64_t count) {
    AlignedRows rows(table, table.columns.size(), count);
    rows.end_ = std::min(count, rows.readable_count());
    return rows;
  }
  /// Rows counted from the last value. The table must be whole.
  [[nodiscard]] static AlignedRows from_back(const heapcheck::v8::heapsnapshot::Table& table,
                                             std::uint64_t count) {
    return from_back(table, table.columns.size(), count);
  }
  /// Rows of another section, which are counted from the last value of an array whose end belongs to that
  /// section.
  [[nodiscard]] static AlignedRows from_back(const heapcheck::v8::heapsnapshot::Table& table,
                                             std::size_t column_count, std::uint64_t count) {
    AlignedRows rows(table, column_count, count);
    rows.first_ = table.value_count - count * column_count;
    // The last values may not have been kept.
    const std::uint64_t unread = table.value_count - std::min(table.value_count, count_values(table));
    rows.end_ = count - std::min(count, (unread + column_count - 1) / column_count);
    rows.begin_ = std::min(rows.end_, count - std::min(count, table.value_count / column_count));
    return rows;
  }
  /// The same rows, but only rows from `begin` up to `end` can be read.
  [[nodiscard]] AlignedRows make_part(std::uint64_t begin, std::uint64_t end) const {
    AlignedRows part = *this;
    part.begin_ = std::max(begin_, begin);
    part.end_ = std::max(part.begin_, std::min(end_, end));
    return part;
  }

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] std::uint64_t column_count() const { return column_count_; }
  /// The first of the rows whose values were all read.
  [[nodiscard]] std::uint64_t begin() const { return begin_; }
  [[nodiscard]] std::uint64_t end() const { return end_; }
  [[nodiscard]] bool has(std::uint64_t row) const { return row >= begin_ && row < end_; }
  /// The value in a row that was read.
  [[nodiscard]] std::uint64_t get(std::uint64_t row, std::size_t column) const {
    const std::uint64_t value = find_value(row, column);
    const std::uint64_t at = value / table_->columns.size();
    const auto place = static_cast<std::size_t>(value % table_->columns.size());
    return at < table_->row_count() ? table_->columns[place][at] : table_->rest[place];
  }
  /// Whether a value in a row that was read is an integer.
  [[nodiscard]] bool is_integer(std::uint64_t row, std::size_t column) const {
    return table_->wrong.empty() || !std::ranges::binary_search(table_->wrong, find_value(row, column));
  }
  [[nodiscard]] bool is_integer_row(std::uint64_t row) const {
    for (std::size_t i = 0; i < column_count_; ++i) {
      if (!is_integer(row, i)) return false;
    }
    return true;
  }

 private:
  AlignedRows(const heapcheck::v8::heapsnapshot::Table& table, std::size_t column_count, std::uint64_t count)
      : table_(&table), column_count_(column_count), count_(count), end_(count) {}

  /// The number of complete rows in the array.
  [[nodiscard]] std::uint64_t readable_count() const { return count_values(*table_) / column_count_; }

  /// The index of a value in the array. It is computed modulo 2^64, so the first row may begin before the
  /// array.
  [[nodiscard]] std::uint64_t find_value(std::uint64_t row, std::size_t column) const {
    return first_ + row * column_count_ + column;
  }

  const heapcheck::v8::heapsnapshot::Table* table_;
  std::size_t column_count_;
  std::uint64_t count_;
  std::uint64_t first_ = 0;
  std::uint64_t begin_ = 0;
  std::uint64_t end_;
};

}  // namespace heapcheck::recovery::v8::heapsnapshot
