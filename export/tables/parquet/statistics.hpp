// The smallest and the largest of some values, in the form used in the statistics of a chunk. They own copies
// of the values. spec: parquet.md#statistics
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "export/tables/parquet/pages.hpp"

namespace heapcheck::exports::tables::parquet {

class IntegerBounds {
 public:
  void add(std::int64_t value) {
    smallest_ = std::min(smallest_, value);
    largest_ = std::max(largest_, value);
  }
  [[nodiscard]] Bounds encode() const {
    if (smallest_ > largest_) return {};
    return {.smallest = encode(smallest_), .largest = encode(largest_)};
  }

 private:
  static std::string encode(std::int64_t value) {
    Bytes bytes;
    append_plain({&value, 1}, bytes);
    return {bytes.begin(), bytes.end()};
  }

  std::int64_t smallest_ = INT64_MAX;
  std::int64_t largest_ = INT64_MIN;
};

/// Orders strings by their bytes as unsigned numbers. Looks only at as many bytes as are needed to show that
/// a string is too long for the statistics, because if such a string is the smallest, its first bytes are
/// also the smallest.
class TextBounds {
 public:
  void add(std::string_view text) {
    const std::string_view start = text.substr(0, most_bytes + 1);
    if (!has_any_ || start < smallest_) smallest_ = start;
    if (!has_any_ || start > largest_) largest_ = start;
    has_any_ = true;
  }
  [[nodiscard]] Bounds encode() const { return {.smallest = encode(smallest_), .largest = encode(largest_)}; }

 private:
  static constexpr std::size_t most_bytes = 256;
  [[nodiscard]] std::optional<std::string> encode(const std::string& bound) const {
    if (!has_any_ || bound.size() > most_bytes) return std::nullopt;
    return bound;
  }

  bool has_any_ = false;
  std::string smallest_;
  std::string largest_;
};

}  // namespace heapcheck::exports::tables::parquet
