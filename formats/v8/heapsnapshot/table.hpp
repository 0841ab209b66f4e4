// A section of a snapshot that is a flat array of integers: its columns, and where its values stand in the
// file. Owns the columns.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "formats/core/bytes.hpp"
#include "formats/v8/heapsnapshot/column.hpp"

namespace heapcheck::v8::heapsnapshot {

/// How much of a section there is.
enum class Extent : std::uint8_t {
  absent,
  cut,  ///< it begins, and was not read to its end
  whole,
};

struct Table {
  std::vector<ChunkedColumn> columns;
  /// Where the first value of each chunk of rows begins.
  std::vector<std::uint64_t> marks;
  Span span;                      ///< of the array; length 0 where there is none
  std::uint64_t value_count = 0;  ///< of the array; what is behind the last whole row is not kept
  /// Which values of the array are no integers, and kept as 0: rising.
  std::vector<std::uint64_t> wrong;
  bool holds_negative = false;  ///< numbers from 2^63 on stand for negative ones
  Extent extent = Extent::absent;
  bool is_last_open = false;  ///< the last value ends where reading did, and may have been longer

  [[nodiscard]] bool is_present() const { return extent != Extent::absent; }
  [[nodiscard]] bool is_whole() const { return extent == Extent::whole; }
  [[nodiscard]] std::uint64_t row_count() const { return columns.empty() ? 0 : columns[0].count(); }
  /// Whether its values can be judged: all of them are there, and are what they should be.
  [[nodiscard]] bool is_sound() const {
    return is_whole() && wrong.empty() && value_count == row_count() * columns.size();
  }
  /// Whether a row begins with the value of that index, as others lead to nodes.
  [[nodiscard]] bool begins_row(std::uint64_t value) const {
    return !columns.empty() && value % columns.size() == 0 && value / columns.size() < row_count();
  }
  [[nodiscard]] std::uint64_t memory() const;

  /// Appends whole rows, given one after another; all chunks before must be full.
  void append_chunk(std::span<const std::uint64_t> values);
  /// Empties it and gives it `column_count` columns.
  void reset(std::size_t column_count);
};

/// Where a value stands: exactly where its neighbours are spaced as writers do it, or else its chunk's place.
[[nodiscard]] Span find_value(const Table& table, std::uint64_t row, std::size_t column);
/// Where a row stands, first value to last.
[[nodiscard]] Span find_row(const Table& table, std::uint64_t row);

/// Whether each row stands in a line of its own, as far as the first rows tell.
[[nodiscard]] bool has_row_lines(const Table& table);

/// The same values in rows of `column_count`.
[[nodiscard]] Table make_reshaped(const Table& flat, std::size_t column_count);

}  // namespace heapcheck::v8::heapsnapshot
