#include "formats/v8/heapsnapshot/table.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "formats/core/text/digits.hpp"

namespace heapcheck::v8::heapsnapshot {
namespace {

/// The number of bytes in the text of a value.
std::uint64_t text_size(const Table& table, std::size_t column, std::uint64_t value) {
  const auto negative = table.find_negative(column, value);
  return negative ? core::digit_count(~static_cast<std::uint64_t>(*negative) + 1) + 1
                  : core::digit_count(value);
}

/// The number of bytes between values and between rows, in addition to the comma.
struct Spacing {
  std::uint64_t after_value = 0;
  std::uint64_t after_row = 0;
};
/// The spacings of V8 since 2024, of V8 before that, and of Python.
constexpr Spacing spacings[] = {{0, 0}, {0, 1}, {1, 0}};

/// The rows of one chunk, and the number of bytes that they take up.
struct Stretch {
  std::uint64_t first_row;
  std::uint64_t row_count;
  Span span;
  bool is_last;
};

Stretch find_stretch(const Table& table, std::uint64_t row) {
  const std::uint64_t chunk = row / chunk_rows;
  const std::uint64_t first = chunk * chunk_rows;
  const bool is_last = chunk + 1 >= table.marks.size();
  const std::uint64_t begin = table.marks[static_cast<std::size_t>(chunk)];
  const std::uint64_t end = is_last ? table.span.end() - 1 : table.marks[static_cast<std::size_t>(chunk) + 1];
  return {first, std::min(chunk_rows, table.row_count() - first), {begin, end - begin}, is_last};
}

/// The number of bytes in the first `value_count` values of a chunk, including commas and spaces.
std::uint64_t measure(const Table& table, const Stretch& stretch, std::uint64_t value_count,
                      const Spacing& spacing) {
  const std::uint64_t columns = table.columns.size();
  std::uint64_t bytes = 0;
  for (std::uint64_t i = 0; i < value_count; ++i)
    bytes += text_size(table, i % columns, table.columns[i % columns][stretch.first_row + i / columns]);
  return bytes + value_count * (1 + spacing.after_value) + value_count / columns * spacing.after_row;
}

std::optional<Spacing> find_spacing(const Table& table, const Stretch& stretch) {
  if (stretch.is_last && table.value_count != table.row_count() * table.columns.size()) return std::nullopt;
  const std::uint64_t value_count = stretch.row_count * table.columns.size();
  const std::uint64_t bare = measure(table, stretch, value_count, {});
  for (const Spacing& spacing : spacings) {
    const std::uint64_t rest =
        stretch.row_count * (spacing.after_value * table.columns.size() + spacing.after_row);
    const std::uint64_t unclosed = stretch.is_last ? 1 + spacing.after_value : 0;
    if (bare + rest == stretch.span.length + unclosed) return spacing;
  }
  return std::nullopt;
}

Span find_values(const Table& table, std::uint64_t row, std::size_t column, std::size_t count) {
  if (row >= table.row_count() || !table.wrong.empty()) return table.span;
  const Stretch stretch = find_stretch(table, row);
  const auto spacing = find_spacing(table, stretch);
  if (!spacing) return stretch.span;
  const std::uint64_t before = (row - stretch.first_row) * table.columns.size() + column;
  const std::uint64_t begin = measure(table, stretch, before, *spacing);
  const std::uint64_t last = measure(table, stretch, before + count - 1, *spacing);
  return {stretch.span.offset + begin,
          last - begin + text_size(table, column + count - 1, table.columns[column + count - 1][row])};
}

/// Neighbouring columns of complete rows, each of which is moved to adjacent memory. Nearly all values are
/// below 2^32, so only the low halves are moved; a column with larger values is encoded from the rows.
class ColumnGroup {
 public:
  static constexpr std::size_t most_columns = 16;

  /// `values` begins with the first value of the first column. Rows are `stride` values apart.
  ColumnGroup(const std::uint64_t* values, std::size_t row_count, std::size_t stride, std::size_t count)
      : values_(values),
        row_count_(row_count),
        stride_(stride),
        count_(count),
        low_(std::make_unique_for_overwrite<std::uint32_t[]>(count * chunk_rows)) {
    // These rows are still in the fastest cache for each of their columns.
    constexpr std::size_t rows_at_once = 256;
    for (std::size_t row = 0; row < row_count; row += rows_at_once) {
      const std::size_t end = std::min(row_count, row + rows_at_once);
      for (std::size_t column = 0; column < count; ++column) move(column, row, end);
    }
  }

  void encode(std::vector<ChunkedColumn::Chunk>& chunks) const {
    for (std::size_t column = 0; column < count_; ++column) {
      const bool is_narrow = bits_[column] >> 32 == 0;
      chunks.push_back(is_narrow ? ChunkedColumn::encode_chunk({&low_[column * chunk_rows], row_count_})
                                 : ChunkedColumn::encode_chunk(values_ + column, row_count_, stride_));
    }
  }

 private:
  void move(std::size_t column, std::size_t row, std::size_t end) {
    std::uint32_t* const out = &low_[column * chunk_rows];
    const std::uint64_t* from = values_ + row * stride_ + column;
    std::uint64_t bits = bits_[column];
    for (; row < end; ++row, from += stride_) {
      out[row] = static_cast<std::uint32_t>(*from);
      bits |= *from;
    }
    bits_[column] = bits;
  }

  const std::uint64_t* values_;
  std::size_t row_count_;
  std::size_t stride_;
  std::size_t count_;
  std::unique_ptr<std::uint32_t[]> low_;
  std::array<std::uint64_t, most_columns> bits_{};  // by column: the bits that any of its values has
};

}  // namespace

std::optional<std::int64_t> Table::find_negative(std::size_t column, std::uint64_t value) const {
  if (holds_negative && value >> 63 != 0) return static_cast<std::int64_t>(value);
  if (column < wrapped.size() && wrapped[column] && value >> 31 == 1) return static_cast<std::int32_t>(value);
  return std::nullopt;
}

std::uint64_t Table::memory() const {
  std::uint64_t total = (marks.size() + wrong.size()) * sizeof(std::uint64_t);
  for (const ChunkedColumn& column : columns) total += column.memory();
  return total;
}

RowChunk encode_rows(std::span<const std::uint64_t> values, std::size_t column_count) {
  RowChunk chunk;
  chunk.row_count = column_count == 0 ? 0 : values.size() / column_count;
  if (chunk.row_count == 0) return chunk;
  for (std::size_t first = 0; first < column_count; first += ColumnGroup::most_columns) {
    const std::size_t count = std::min(ColumnGroup::most_columns, column_count - first);
    ColumnGroup(values.data() + first, chunk.row_count, column_count, count).encode(chunk.columns);
  }
  return chunk;
}

void Table::append_chunk(std::span<const std::uint64_t> values) {
  append_chunk(encode_rows(values, columns.size()));
}

void Table::append_chunk(RowChunk chunk) {
  for (std::size_t i = 0; i < chunk.columns.size(); ++i)
    columns[i].append_chunk(std::move(chunk.columns[i]), chunk.row_count);
}

void Table::reset(std::size_t column_count) {
  columns.clear();
  columns.resize(column_count);
  marks.clear();
}

Span find_value(const Table& table, std::uint64_t row, std::size_t column) {
  return find_values(table, row, column, 1);
}

Span find_row(const Table& table, std::uint64_t row) {
  return find_values(table, row, 0, table.columns.size());
}

Span find_row(const Table& table, std::uint64_t row, const Table& other) {
  if (row >= table.row_count() || !table.wrong.empty()) return table.span;
  const Stretch stretch = find_stretch(table, row);
  if (find_spacing(table, stretch)) return find_row(table, row);
  auto spacing = find_spacing(table, find_stretch(table, 0));
  if (!spacing && other.row_count() != 0 && other.wrong.empty())
    spacing = find_spacing(other, find_stretch(other, 0));
  if (!spacing) return stretch.span;
  const std::uint64_t before = (row - stretch.first_row) * table.columns.size();
  return {stretch.span.offset + measure(table, stretch, before, *spacing), 0};
}

bool has_row_lines(const Table& table) {
  if (table.row_count() == 0 || !table.wrong.empty()) return false;
  const auto spacing = find_spacing(table, find_stretch(table, 0));
  return spacing && spacing->after_row != 0;
}

Table make_reshaped(const Table& flat, std::size_t column_count) {
  Table table;
  table.span = flat.span;
  table.value_count = flat.value_count;
  table.wrong = flat.wrong;
  table.holds_negative = flat.holds_negative;
  table.extent = flat.extent;
  table.is_last_open = flat.is_last_open;
  table.reset(column_count);
  if (column_count == 0) return table;
  const std::uint64_t row_count = flat.row_count() / column_count;
  std::vector<std::uint64_t> values;
  for (std::uint64_t row = 0; row < row_count; row += chunk_rows) {
    const std::uint64_t first = row * column_count;
    const std::uint64_t count = std::min(chunk_rows, row_count - row) * column_count;
    // All chunks except the last must be full, so the values of a chunk are collected first.
    values.clear();
    for (std::uint64_t i = 0; i < count; ++i) values.push_back(flat.columns[0][first + i]);
    table.marks.push_back(find_value(flat, first, 0).offset);
    table.append_chunk(values);
  }
  return table;
}

}  // namespace heapcheck::v8::heapsnapshot
