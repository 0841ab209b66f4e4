// Where the rows of a list stand in the file, without a number for each: marks every so often.
// Between marks rows are as long as their content says.
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
  /// Rows and offsets grow from call to call.
  void add(std::uint64_t row, std::uint64_t offset) { marks_.push_back({row, offset}); }

  /// The last mark at or before `row`; one must have been added.
  [[nodiscard]] Mark find(std::uint64_t row) const {
    const auto behind = std::ranges::upper_bound(marks_, row, {}, &Mark::row);
    return behind == marks_.begin() ? Mark{} : *std::prev(behind);
  }
  [[nodiscard]] std::uint64_t memory() const { return marks_.capacity() * sizeof(Mark); }

 private:
  std::vector<Mark> marks_;
};

/// How many digits `value` has in decimal.
constexpr std::uint64_t digit_count(std::uint64_t value) {
  std::uint64_t count = 1;
  for (; value >= 10; value /= 10) ++count;
  return count;
}

}  // namespace heapcheck::mvmheap::v1
