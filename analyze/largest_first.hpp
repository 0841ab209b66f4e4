// Sorts the rows of an answer, largest first, as far as they are needed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <tuple>
#include <utility>
#include <vector>

#include "heapcheck/types/answers.hpp"

namespace heapcheck::analyze {

/// Rows in the order of `Less`. Most people look at only a few of the millions of rows, so the others are not
/// sorted until one of them is requested.
template <class Row, class Less = std::less<>>
class SortedAsNeeded {
 public:
  explicit SortedAsNeeded(std::vector<Row> rows, Less less = {})
      : rows_(std::move(rows)), less_(std::move(less)) {}

  [[nodiscard]] std::size_t count() const { return rows_.size(); }
  /// The row at `index`, which must be below count().
  [[nodiscard]] const Row& at(std::size_t index) {
    while (index >= sorted_) sort_more();
    return rows_[index];
  }

 private:
  void sort_more() {
    constexpr std::size_t first_part = 1024;
    const std::size_t end = sorted_ == 0 ? std::min(first_part, rows_.size()) : rows_.size();
    const auto place = [this](std::size_t index) {
      return rows_.begin() + static_cast<std::ptrdiff_t>(index);
    };
    // The first rows are selected with a heap, which would be slower than sorting if all rows were needed.
    if (end < rows_.size())
      std::ranges::partial_sort(rows_.begin(), place(end), rows_.end(), less_);
    else
      std::ranges::sort(place(sorted_), rows_.end(), less_);
    sorted_ = end;
  }

  std::vector<Row> rows_;
  Less less_;
  std::size_t sorted_ = 0;  // the number of sorted rows, which are at the front
};

/// The numbers by which rows are sorted, and the index of the row, which decides between equal ones.
struct Rank {
  std::uint64_t first, size, count;
  std::uint32_t index;

  [[nodiscard]] bool operator<(const Rank& other) const {
    return std::tie(other.first, other.size, other.count, index) < std::tie(first, size, count, other.index);
  }
};

/// The ranks of rows with a count, a size and a retained size: by `by` and then by size and count, largest
/// first. Equal rows remain in their order.
template <class Row>
std::vector<Rank> make_ranks(const std::vector<Row>& rows, TopBy by) {
  std::vector<Rank> ranks;
  ranks.reserve(rows.size());
  for (const Row& row : rows) {
    const std::uint64_t first = by == TopBy::retained ? row.retained
                                : by == TopBy::count  ? row.count
                                                      : row.size;
    ranks.push_back({.first = first,
                     .size = row.size,
                     .count = row.count,
                     .index = static_cast<std::uint32_t>(ranks.size())});
  }
  return ranks;
}

}  // namespace heapcheck::analyze
