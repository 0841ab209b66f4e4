// Records the locations of the rows of a long array, with one span for each run of rows. A finding about row
// 123,456 can then show the bytes around it, although each row takes less than a byte of memory. Owns its
// columns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "formats/core/bytes.hpp"

namespace heapcheck::chrome::heaps_v2 {

class Runs {
 public:
  /// Number of rows in a full run.
  static constexpr std::size_t run_rows = 64;

  /// Adds a run: the rows from `first` on are in `span`. Runs must be added in order.
  void add(std::uint64_t first, Span span) {
    if (!first_.empty() && first_.back() == first) return;
    first_.push_back(first);
    span_.push_back(span);
  }

  /// The run that holds `row`; an empty span at offset 0 if there is no such run.
  [[nodiscard]] Span find(std::uint64_t row) const {
    const auto next = std::ranges::upper_bound(first_, row);
    if (next == first_.begin()) return {};
    return span_[static_cast<std::size_t>(next - first_.begin()) - 1];
  }

 private:
  std::vector<std::uint64_t> first_;
  std::vector<Span> span_;
};

}  // namespace heapcheck::chrome::heaps_v2
