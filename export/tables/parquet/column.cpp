#include "export/tables/parquet/column.hpp"

#include <utility>

#include "export/tables/parquet/dictionary.hpp"
#include "export/tables/parquet/statistics.hpp"
#include "formats/core/codec.hpp"

namespace heapcheck::exports::tables::parquet {

namespace {

/// A page of this size is full. A single string can be larger.
constexpr std::size_t full_page = 1 << 20;

/// If there are more entries than this, at least half of the values must be repetitions.
constexpr std::size_t few_entries = 16'384;
/// If there are more entries than this, a dictionary ends at `most_dictionary_bytes`. Dictionaries with fewer
/// entries may be larger, because they contain long strings, and repeating these would use even more memory.
constexpr std::size_t very_few_entries = 256;
constexpr std::size_t most_dictionary_bytes = 2 << 20;

/// The values of a page with PLAIN encoding.
class PlainIntegers {
 public:
  void add(std::int64_t value) { values_.push_back(value); }
  [[nodiscard]] std::size_t byte_count() const { return values_.size() * sizeof(std::int64_t); }
  void append_to(Bytes& out) const { append_plain(values_, out); }
  void clear() { values_.clear(); }

 private:
  std::vector<std::int64_t> values_;
};

class PlainTexts {
 public:
  void add(std::string_view text) { append_plain(text, bytes_); }
  [[nodiscard]] std::size_t byte_count() const { return bytes_.size(); }
  void append_to(Bytes& out) const { append(bytes_, out); }
  void clear() { bytes_.clear(); }

 private:
  Bytes bytes_;
};

struct Integers {
  using Value = std::int64_t;
  using Dictionary = IntegerDictionary;
  using Plain = PlainIntegers;
  using Statistics = IntegerBounds;
  static constexpr auto level = Compressor::Level::integers;
  static const std::vector<Value>& find(const Values& values) { return values.integers; }
};

struct Texts {
  using Value = std::string_view;
  using Dictionary = TextDictionary;
  using Plain = PlainTexts;
  using Statistics = TextBounds;
  static constexpr auto level = Compressor::Level::texts;
  static const std::vector<Value>& find(const Values& values) { return values.texts; }
};

template <class Kind>
class KindEncoder final : public ColumnEncoder {
 public:
  using Value = typename Kind::Value;

  KindEncoder(bool is_optional, Compressor& compressor)
      : is_optional_(is_optional), compressor_(&compressor) {}

  void forget_addresses() override { dictionary_.forget_addresses(); }

  void add(const Values& values, std::size_t first, std::size_t count) override {
    const std::vector<Value>& column = Kind::find(values);
    for (std::size_t row = first; row < first + count; ++row) {
      if (is_optional_ && values.is_present[row] == 0) {
        add_null();
      } else {
        add_value(column[row]);
      }
    }
  }

  [[nodiscard]] std::size_t byte_count() const override {
    return chunk_.pages.size() + plain_.byte_count() + dictionary_.byte_count() +
           indices_.size() * sizeof(std::uint32_t);
  }

  Chunk take_chunk() override {
    if (has_dictionary_ && pays_at_the_end()) {
      write_with_dictionary();
    } else {
      leave_dictionary();
      if (row_count_ != 0) write_plain();
    }
    has_dictionary_ = true;
    chunk_.bounds = std::exchange(statistics_, {}).encode();
    return std::exchange(chunk_, {});
  }

 private:
  void add_null() {
    levels_.push_back(0);
    ++row_count_;
    ++chunk_.null_count;
  }
  void add_value(const Value& value) {
    if (has_dictionary_) {
      add_index(value);
    } else {
      add_plain(value);
    }
  }
  void add_index(const Value& value) {
    const std::size_t count = dictionary_.count();
    indices_.push_back(dictionary_.find_or_add(value));
    plain_byte_count_ += plain_byte_count(value);
    count_row();
    if (dictionary_.count() == count) return;
    statistics_.add(value);
    if (!may_pay()) end_dictionary();
  }
  void add_plain(const Value& value) {
    if (plain_.byte_count() != 0 && plain_.byte_count() + plain_byte_count(value) > full_page) write_plain();
    plain_.add(value);
    statistics_.add(value);
    count_row();
  }
  void count_row() {
    if (is_optional_) levels_.push_back(1);
    ++row_count_;
  }

  [[nodiscard]] bool may_pay() const {
    const std::size_t count = dictionary_.count();
    if (count > very_few_entries && dictionary_.byte_count() > most_dictionary_bytes) return false;
    return count <= few_entries || 2 * count <= indices_.size();
  }
  [[nodiscard]] bool pays_at_the_end() const {
    const std::size_t index_bits = indices_.size() * index_width(dictionary_.count());
    return dictionary_.byte_count() + index_bits / 8 < plain_byte_count_;
  }

  /// Uses plain encoding for the rest of the chunk, and also for its start if the start is short.
  void end_dictionary() {
    if (plain_byte_count_ <= full_page) {
      leave_dictionary();
    } else {
      write_with_dictionary();
      has_dictionary_ = false;
    }
  }
  /// Re-encodes all rows since the start of the chunk.
  void leave_dictionary() {
    if (!std::exchange(has_dictionary_, false)) return;
    std::vector<std::uint32_t> levels = std::exchange(levels_, {});
    if (!is_optional_) levels.assign(indices_.size(), 1);
    chunk_.null_count = row_count_ = 0;
    std::size_t value = 0;
    for (const std::uint32_t level : levels) {
      if (level == 0) {
        add_null();
      } else {
        add_plain(dictionary_.entry(indices_[value++]));
      }
    }
    clear_dictionary();
  }
  void clear_dictionary() {
    dictionary_.clear();
    indices_.clear();
    plain_byte_count_ = 0;
  }

  void write_with_dictionary() {
    content_.clear();
    dictionary_.append_entries(content_);
    compressor_->append_dictionary(dictionary_.count(), content_, Kind::level, chunk_);
    begin_page();
    const unsigned width = index_width(dictionary_.count());
    content_.push_back(static_cast<std::uint8_t>(width));
    append_hybrid(indices_, width, content_);
    end_page(Encoding::rle_dictionary, Compressor::Level::integers);
    clear_dictionary();
  }
  void write_plain() {
    begin_page();
    plain_.append_to(content_);
    end_page(Encoding::plain, Kind::level);
    plain_.clear();
  }
  void begin_page() {
    content_.clear();
    if (!is_optional_) return;
    content_.resize(sizeof(std::uint32_t));
    append_hybrid(levels_, 1, content_);
    core::store_le(static_cast<std::uint32_t>(content_.size() - sizeof(std::uint32_t)), content_.data());
  }
  void end_page(Encoding encoding, Compressor::Level level) {
    compressor_->append_data(row_count_, encoding, content_, level, chunk_);
    levels_.clear();
    row_count_ = 0;
  }

  bool is_optional_;
  Compressor* compressor_;
  Chunk chunk_;
  typename Kind::Statistics statistics_;

  // The rows that have not been added to the chunk yet.
  std::size_t row_count_ = 0;
  std::vector<std::uint32_t> levels_;  // for optional columns: 1 for each value and 0 for each null
  bool has_dictionary_ = true;  // whether the values are in `indices_` and `dictionary_`, or in `plain_`
  std::vector<std::uint32_t> indices_;
  typename Kind::Dictionary dictionary_;
  std::size_t plain_byte_count_ = 0;  // the number of bytes that the values of `indices_` would need
  typename Kind::Plain plain_;
  Bytes content_;  // the content of a page; kept in order to reuse its memory
};

}  // namespace

std::unique_ptr<ColumnEncoder> make_encoder(const Column& column, Compressor& compressor) {
  switch (column.type) {
    case ColumnType::integer:
      return std::make_unique<KindEncoder<Integers>>(column.is_optional, compressor);
    case ColumnType::text:
      return std::make_unique<KindEncoder<Texts>>(column.is_optional, compressor);
  }
  return nullptr;  // there are no other types
}

}  // namespace heapcheck::exports::tables::parquet
