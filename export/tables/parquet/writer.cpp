#include "export/writers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "export/tables/parquet/column.hpp"
#include "export/tables/parquet/footer.hpp"

namespace heapcheck::exports::tables::parquet {

namespace {

constexpr std::size_t most_text_bytes = std::size_t{1} << 30;
/// The largest total size of strings that are added at once. Rows with more text are split in half.
constexpr std::size_t most_part_bytes = 16 << 20;
/// A row group that uses more memory than this ends, even if it has few rows.
constexpr std::size_t most_group_bytes = 64 << 20;

std::size_t count_text_bytes(const Rows& rows, std::size_t first, std::size_t count) {
  std::size_t sum = 0;
  for (const Values& values : rows.columns) {
    for (std::size_t row = first; row < first + count && !values.texts.empty(); ++row)
      sum += values.has(row) ? values.texts[row].size() : 0;
  }
  return sum;
}

/// Checks the lengths of strings. Errors: unwritable if a string is too long.
Result<void> check_texts(const Rows& rows) {
  for (const Values& values : rows.columns) {
    for (std::size_t row = 0; row < values.texts.size(); ++row) {
      const std::size_t size = values.has(row) ? values.texts[row].size() : 0;
      if (size > most_text_bytes)
        return std::unexpected(Error{ErrorKind::unwritable,
                                     fmt::format("found a string of {} bytes, expected at most {} in Parquet",
                                                 size, most_text_bytes)});
    }
  }
  return {};
}

class Writer final : public TableWriter {
 public:
  Writer(const Table& table, core::ByteSink& sink) : sink_(&sink), footer_(table) {
    for (const Column& column : table.columns) columns_.push_back(make_encoder(column, compressor_));
  }

  Result<void> add(const Rows& rows) override {
    for (const auto& column : columns_) column->forget_addresses();
    if (count_text_bytes(rows, 0, rows.count) <= most_part_bytes) return add_part(rows, 0, rows.count);
    if (auto checked = check_texts(rows); !checked) return checked;
    return add_in_halves(rows, 0, rows.count);
  }

  Result<void> finish() override {
    if (auto done = end_group(); !done) return done;
    if (auto done = begin_file(); !done) return done;
    return sink_->write(footer_.encode());
  }

 private:
  Result<void> add_in_halves(const Rows& rows, std::size_t first, std::size_t count) {
    if (count == 1 || count_text_bytes(rows, first, count) <= most_part_bytes)
      return add_part(rows, first, count);
    const std::size_t half = count / 2;
    if (auto done = add_in_halves(rows, first, half); !done) return done;
    return add_in_halves(rows, first + half, count - half);
  }
  Result<void> add_part(const Rows& rows, std::size_t first, std::size_t count) {
    for (const std::size_t end = first + count; first < end;) {
      count = std::min(end - first, group_rows - row_count_);
      for (std::size_t i = 0; i < columns_.size(); ++i) columns_[i]->add(rows.columns[i], first, count);
      first += count;
      row_count_ += count;
      if (!is_group_full()) continue;
      if (auto done = end_group(); !done) return done;
    }
    return {};
  }
  [[nodiscard]] bool is_group_full() const {
    std::size_t sum = 0;
    for (const auto& column : columns_) sum += column->byte_count();
    return row_count_ == group_rows || sum >= most_group_bytes;
  }

  Result<void> end_group() {
    if (row_count_ == 0) return {};
    if (auto done = begin_file(); !done) return done;
    std::vector<Chunk> chunks;
    for (const auto& column : columns_) chunks.push_back(column->take_chunk());
    footer_.add_group(row_count_, offset_, chunks);
    row_count_ = 0;
    for (const Chunk& chunk : chunks) {
      if (auto done = sink_->write(chunk.pages); !done) return done;
      offset_ += chunk.pages.size();
    }
    return {};
  }
  Result<void> begin_file() {
    if (offset_ != 0) return {};
    offset_ = magic.size();
    return sink_->write(core::as_bytes(magic));
  }

  core::ByteSink* sink_;
  Footer footer_;
  Compressor compressor_;
  std::vector<std::unique_ptr<ColumnEncoder>> columns_;
  std::size_t row_count_ = 0;  // the number of rows in the row group
  std::uint64_t offset_ = 0;   // the offset of the next byte in the file
};

}  // namespace

std::unique_ptr<TableWriter> open_parquet(const Table& table, core::ByteSink& sink) {
  return std::make_unique<Writer>(table, sink);
}

}  // namespace heapcheck::exports::tables::parquet
