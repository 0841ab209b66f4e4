// The sections that contain numbers: the columns of a flat array of integers or of the tree of calls, and the
// offsets of the values in the file. Owns the columns.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "formats/core/bytes.hpp"
#include "formats/v8/heapsnapshot/column.hpp"

namespace heapcheck::v8::heapsnapshot {

/// Whether a section is missing, incomplete or complete.
enum class Extent : std::uint8_t {
  absent,
  cut,  ///< its beginning was read, but not its end
  whole,
};

/// Encoded rows, with one chunk for each column.
struct RowChunk {
  std::vector<ChunkedColumn::Chunk> columns;
  std::size_t row_count = 0;
};
/// Encodes complete rows, which are given one after another. There must be at most chunk_rows rows.
[[nodiscard]] RowChunk encode_rows(std::span<const std::uint64_t> values, std::size_t column_count);

struct Table {
  std::vector<ChunkedColumn> columns;
  /// The offset of the first value of each chunk of rows.
  std::vector<std::uint64_t> marks;
  Span span;                      ///< the span of the array; its length is 0 if there is no array
  std::uint64_t value_count = 0;  ///< the number of values in the array
  /// The values after the last complete row. Empty if the section was read before `meta`.
  std::vector<std::uint64_t> rest;
  /// The indices of the values in the array that are not integers, in ascending order. Such values are kept
  /// as 0.
  std::vector<std::uint64_t> wrong;
  bool holds_negative = false;  ///< whether numbers of 2^63 and above represent negative numbers
  /// For each column, whether numbers from 2^31 to 2^32 - 1 represent negative numbers. Empty if they do not
  /// in any column.
  std::vector<bool> wrapped;
  Extent extent = Extent::absent;
  bool is_last_open = false;  ///< whether the last value may be cut off because reading stopped at its end

  [[nodiscard]] bool is_present() const { return extent != Extent::absent; }
  [[nodiscard]] bool is_whole() const { return extent == Extent::whole; }
  [[nodiscard]] std::uint64_t row_count() const { return columns.empty() ? 0 : columns[0].count(); }
  /// Whether its values can be checked, because all of them were read and are integers.
  [[nodiscard]] bool is_sound() const {
    return is_whole() && wrong.empty() && value_count == row_count() * columns.size();
  }
  /// Whether a row begins at the value with that index. Other sections refer to nodes by such indices.
  [[nodiscard]] bool begins_row(std::uint64_t value) const {
    return !columns.empty() && value % columns.size() == 0 && value / columns.size() < row_count();
  }
  /// The number that a value in the column represents, if that number is negative in the file.
  [[nodiscard]] std::optional<std::int64_t> find_negative(std::size_t column, std::uint64_t value) const;
  [[nodiscard]] std::uint64_t memory() const;

  /// Appends complete rows, which are given one after another. All chunks before them must be full.
  void append_chunk(std::span<const std::uint64_t> values);
  /// Does the same for rows that encode_rows() has encoded.
  void append_chunk(RowChunk chunk);
  /// Removes all rows and sets the number of columns to `column_count`.
  void reset(std::size_t column_count);
};

/// The calls that allocated memory, with callers before callees, as in the file.
struct TraceTree {
  static constexpr std::uint32_t no_parent = static_cast<std::uint32_t>(-1);

  std::vector<std::uint64_t> id;
  std::vector<std::uint64_t> function_info_index;
  std::vector<std::uint64_t> count;
  std::vector<std::uint64_t> size;
  std::vector<std::uint32_t> parent;   ///< an index into these columns
  std::vector<std::uint64_t> offsets;  ///< the offset at which each call starts in the file
  std::size_t whole_rows = 0;          ///< how many rows from the start were read up to their children
  Span span;
  Extent extent = Extent::absent;

  [[nodiscard]] bool is_present() const { return extent != Extent::absent; }
  [[nodiscard]] bool is_whole() const { return extent == Extent::whole; }
  friend bool operator==(const TraceTree& a, const TraceTree& b) {
    return a.id == b.id && a.function_info_index == b.function_info_index && a.count == b.count &&
           a.size == b.size && a.parent == b.parent;
  }
};

/// The columns of numbers, in the order of tree_fields.
using TreeColumn = std::vector<std::uint64_t> TraceTree::*;
inline constexpr std::array<TreeColumn, 4> tree_columns{&TraceTree::id, &TraceTree::function_info_index,
                                                        &TraceTree::count, &TraceTree::size};

/// The span of a value. It is exact if the values around it are spaced as by a known writer; otherwise, it is
/// the span of the value's chunk.
[[nodiscard]] Span find_value(const Table& table, std::uint64_t row, std::size_t column);
/// The span of a row, from its first value to its last.
[[nodiscard]] Span find_row(const Table& table, std::uint64_t row);
/// Does the same for a row after which numbers may be missing. If the row's chunk does not have a known
/// spacing, the preceding rows are assumed to be spaced like the first rows of the table or, failing that, of
/// `other`. In this case, the span is empty.
[[nodiscard]] Span find_row(const Table& table, std::uint64_t row, const Table& other);

/// Whether each row is on its own line, judging by the first rows.
[[nodiscard]] bool has_row_lines(const Table& table);

/// The same values, arranged in rows of `column_count` columns.
[[nodiscard]] Table make_reshaped(const Table& flat, std::size_t column_count);

}  // namespace heapcheck::v8::heapsnapshot
