// Makes new columns with different values or without some rows from old columns, which cannot be changed.
// Also finds unused ids.
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

/// A column with the values that `make` returns for each row and value of the old column.
template <class Make>
[[nodiscard]] format::ChunkedColumn make_column(const format::ChunkedColumn& old, Make&& make) {
  ColumnBuilder column;
  for_each_value(old, [&](std::uint64_t row, std::uint64_t value) { column.add(make(row, value)); });
  return column.finish();
}

/// Replaces the column with that name, which must exist.
void replace_column(Snapshot& snapshot, Section section, std::string_view field,
                    format::ChunkedColumn column);

/// One flag per row, which states whether the row is kept.
using RowSet = std::vector<bool>;

/// The rows of a table that were read completely.
[[nodiscard]] RowSet find_whole_rows(const format::Table& table);
/// Removes all rows whose index is `count` or more.
void cut_rows(RowSet& rows, std::uint64_t count);
/// Drops the rows that are not in `kept` and returns how many were dropped. The remaining rows become a
/// complete table.
std::uint64_t keep_rows(format::Table& table, const RowSet& kept);

/// The rows of one table belong, in order, to the rows of a second table, which are their owners. `counts`
/// contains the number of rows that each owner has. Removes from `rows` the rows whose owners are not in
/// `owners`, and returns the remaining counts. Ignores the counts of owners whose index is `known` or more.
[[nodiscard]] format::ChunkedColumn fit_counts(const format::ChunkedColumn& counts, const RowSet& owners,
                                               std::uint64_t known, RowSet& rows);
/// The number of rows before the first row with an invalid value in that column.
[[nodiscard]] std::uint64_t count_known(const format::Table& table, std::size_t column);

/// Provides unused ids for rows that have the id of another row. Hands out 1, 1 + `step` and so on, skipping
/// ids that are taken. At most `count` ids in total may be taken or handed out, so that ids never run out.
class FreeIds {
 public:
  FreeIds(std::uint64_t count, std::uint64_t step)
      : step_(step), taken_(static_cast<std::size_t>(count * step + 1)) {}

  void take(std::uint64_t id) {
    if (id < taken_.size()) taken_[static_cast<std::size_t>(id)] = true;
  }
  [[nodiscard]] std::uint64_t next() {
    while (taken_[static_cast<std::size_t>(next_)]) next_ += step_;
    take(next_);
    return next_;
  }

 private:
  std::uint64_t step_;
  std::uint64_t next_ = 1;
  std::vector<bool> taken_;
};

}  // namespace heapcheck::recovery::v8::heapsnapshot
