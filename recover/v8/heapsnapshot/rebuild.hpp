// New columns from old ones, which cannot be changed themselves: with other values, or without some rows.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "validate/v8/heapsnapshot/cases.hpp"

namespace heapcheck::recovery::v8::heapsnapshot {

namespace format = heapcheck::v8::heapsnapshot;
using format::Section;
using format::Snapshot;
using validation::v8::heapsnapshot::ChunkValues;
using validation::v8::heapsnapshot::Field;
using validation::v8::heapsnapshot::for_each_value;

class ColumnBuilder {
 public:
  void add(std::uint64_t value) {
    values_[count_++] = value;
    if (count_ == values_.size()) flush();
  }
  [[nodiscard]] format::ChunkedColumn finish() {
    flush();
    return std::move(column_);
  }

 private:
  void flush() {
    column_.append_chunk(values_.data(), count_, 1);
    count_ = 0;
  }

  format::ChunkedColumn column_;
  ChunkValues values_;
  std::size_t count_ = 0;
};

/// The column with the values that `make` gives for row and value of the old one.
template <class Make>
[[nodiscard]] format::ChunkedColumn make_column(const format::ChunkedColumn& old, Make&& make) {
  ColumnBuilder column;
  for_each_value(old, [&](std::uint64_t row, std::uint64_t value) { column.add(make(row, value)); });
  return column.finish();
}

/// Puts a column in the place of the one of that name, which must be there.
void replace_column(Snapshot& snapshot, Section section, std::string_view field,
                    format::ChunkedColumn column);

/// By row: whether it is kept.
using RowSet = std::vector<bool>;

/// The rows of a table that were read whole.
[[nodiscard]] RowSet find_whole_rows(const format::Table& table);
/// Takes rows away from the `count`th on.
void cut_rows(RowSet& rows, std::uint64_t count);
/// Leaves out the rows that are not in `kept`, and gives how many that were. What stays is a whole table.
std::uint64_t keep_rows(format::Table& table, const RowSet& kept);

/// Rows of one table belong to the rows of another one, their owners, in order: to each as many as its count
/// says. Takes from `rows` those that belong to none of `owners`, and gives counts that fit what stays.
/// From the `known`th owner on counts mean nothing.
[[nodiscard]] format::ChunkedColumn fit_counts(const format::ChunkedColumn& counts, const RowSet& owners,
                                               std::uint64_t known, RowSet& rows);
/// How many rows have a whole value in that column and in all rows before.
[[nodiscard]] std::uint64_t count_known(const format::Table& table, std::size_t column);

}  // namespace heapcheck::recovery::v8::heapsnapshot
