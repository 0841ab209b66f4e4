// Collects the rows of one table for its writer, which it borrows. Values arrive row by row, in the order of
// the columns. Only the rows of one part of the table reach the writer.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "export/tables/table.hpp"

namespace heapcheck::exports::tables {

/// One of `of` consecutive parts of equal size, into which the rows of a table are divided.
struct Part {
  std::uint64_t number = 1;  ///< the number of the part, from 1
  std::uint64_t of = 1;

  /// The first row of the part, of `count` rows, and the first row after it.
  [[nodiscard]] std::uint64_t begin(std::uint64_t count) const { return divide(count, number - 1); }
  [[nodiscard]] std::uint64_t end(std::uint64_t count) const { return divide(count, number); }

 private:
  /// count * parts / of, rounded down.
  [[nodiscard]] std::uint64_t divide(std::uint64_t count, std::uint64_t parts) const {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>(Wide{count} * parts / of);
  }
};

/// How much was written to a table.
struct Counts {
  std::uint64_t rows = 0;
  std::uint64_t repaired = 0;  ///< the number of strings in which bytes that are not UTF-8 became U+FFFD
  std::uint64_t limited = 0;   ///< the number of numbers above 2^63 - 1, which were reduced to that number
};

class RowBuffer {
 public:
  RowBuffer(const Table& table, TableWriter& writer);

  RowBuffer& add(std::uint64_t number);
  /// Borrows the text until the buffer is destroyed. Until then, no other string may be at the same address.
  RowBuffer& add(std::string_view text);
  /// Keeps the text until its row has been written, so later strings may be at the same address.
  RowBuffer& add_owned(std::string text);
  /// Leaves an optional column without a value.
  RowBuffer& skip();
  RowBuffer& add_or_skip(bool is_present, std::uint64_t number) { return is_present ? add(number) : skip(); }
  RowBuffer& add_or_skip(bool is_present, std::string_view text) { return is_present ? add(text) : skip(); }

  /// Ends the row. Returns whether all rows so far have been written. After an error, rows are dropped.
  bool end_row();
  /// Writes the remaining rows. Call this once. Errors: any error of the writer.
  Result<Counts> finish();

 private:
  Values& next(bool is_present);
  [[nodiscard]] std::string_view clean(std::string_view text);
  /// The repaired text; null if the text is UTF-8.
  [[nodiscard]] const std::string* find_repaired(std::string_view text);
  void write();

  const Table* table_;
  TableWriter* writer_;
  Rows rows_;
  std::size_t column_ = 0;  // the column of the next value
  Counts counts_;
  Result<void> done_ = {};
  /// The repaired versions of strings that are not UTF-8, by address and size. Each is kept only once, even
  /// if many rows contain it.
  std::map<std::pair<const char*, std::size_t>, std::string> repaired_;
  struct Known {
    std::string_view text;
    const std::string* repaired = nullptr;  // null if the text is UTF-8
  };
  /// Strings that were checked, by address. A later string replaces an earlier one.
  std::array<Known, 4096> known_{};
  /// The strings in rows that have not been written. They are not in the tables above, because other strings
  /// can be at their addresses later.
  std::deque<std::string> owned_;
  std::size_t owned_bytes_ = 0;
};

}  // namespace heapcheck::exports::tables
