// The positions of a list's rows in the file. Only some rows get a mark with their offset; between marks, the
// lengths of rows follow from their content.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace heapcheck::mvmheap::v1 {

class RowPlaces {
 public:
  struct Mark {
    std::uint64_t row = 0;
    std::uint64_t offset = 0;  ///< of the row's first byte
  };

  void clear() { marks_.clear(); }
  /// Rows and offsets must increase from call to call.
  void add(std::uint64_t row, std::uint64_t offset) { marks_.push_back({row, offset}); }

  /// The last mark at or before `row`; one must have been added.
  [[nodiscard]] Mark find(std::uint64_t row) const {
    const auto after = std::ranges::upper_bound(marks_, row, {}, &Mark::row);
    return after == marks_.begin() ? Mark{} : *std::prev(after);
  }
  [[nodiscard]] std::uint64_t memory() const { return marks_.capacity() * sizeof(Mark); }

 private:
  std::vector<Mark> marks_;
};

/// The number of decimal digits of `value`.
constexpr std::uint64_t digit_count(std::uint64_t value) {
  std::uint64_t count = 1;
  for (; value >= 10; value /= 10) ++count;
  return count;
}

}  // namespace heapcheck::mvmheap::v1
