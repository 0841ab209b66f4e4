// The distinct values of a column in a row group, numbered in the order in which they first occur. Owns its
// entries. Neither the numbers nor the entries depend on the addresses of strings or on the hash key.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "export/tables/parquet/encoding.hpp"
#include "formats/core/row_table.hpp"

namespace heapcheck::exports::tables::parquet {

class IntegerDictionary {
 public:
  /// Returns the number of the value.
  std::uint32_t find_or_add(std::int64_t value);
  /// Does nothing; see TextDictionary.
  void forget_addresses() {}
  [[nodiscard]] std::size_t count() const { return entries_.size(); }
  [[nodiscard]] std::int64_t entry(std::uint32_t number) const { return entries_[number]; }
  /// The size of the entries in PLAIN encoding.
  [[nodiscard]] std::size_t byte_count() const { return entries_.size() * sizeof(std::int64_t); }
  void append_entries(Bytes& out) const { append_plain(entries_, out); }
  void clear();

 private:
  std::vector<std::int64_t> entries_;
  core::RowTable table_;
  std::uint32_t last_ = 0;  // the number of the last value
};

class TextDictionary {
 public:
  /// Returns the number of the string. A string must keep its address until forget_addresses() is called.
  std::uint32_t find_or_add(std::string_view text);
  /// Call this before another string can be at the same address as an earlier one.
  void forget_addresses();
  [[nodiscard]] std::size_t count() const { return ends_.size(); }
  [[nodiscard]] std::string_view entry(std::uint32_t number) const;
  [[nodiscard]] std::size_t byte_count() const { return bytes_.size(); }
  void append_entries(Bytes& out) const { append(bytes_, out); }
  void clear();

 private:
  /// A string that was found by content.
  struct Known {
    const char* address = nullptr;
    std::size_t size = 0;
    std::uint32_t number = 0;
    std::uint32_t age = 0;  // the value of `age_` when it was found
  };
  std::uint32_t find_content(std::string_view text);

  Bytes bytes_;                    // the entries in PLAIN encoding
  std::vector<std::size_t> ends_;  // the ends of the entries in `bytes_`
  core::RowTable table_;
  std::uint32_t age_ = 1;     // incremented when addresses are forgotten
  std::vector<Known> known_;  // by the hash of the address; a later text replaces an earlier one
};

}  // namespace heapcheck::exports::tables::parquet
