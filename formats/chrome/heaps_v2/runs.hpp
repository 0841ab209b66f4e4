// Where the rows of a long array stand: a span for each run of a few rows, so that a finding on row
// 123,456 shows the bytes around it while a row costs less than a byte. Owns its columns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "formats/core/bytes.hpp"

namespace heapcheck::chrome::heaps_v2 {

class Runs {
 public:
  /// Rows of a run that is not cut short.
  static constexpr std::size_t run_rows = 64;

  /// Rows from `first` on stand in `span`; runs come in order.
  void add(std::uint64_t first, Span span) {
    if (!first_.empty() && first_.back() == first) return;
    first_.push_back(first);
    span_.push_back(span);
  }

  /// The run that holds `row`; empty at offset 0 where there is none.
  [[nodiscard]] Span find(std::uint64_t row) const {
    const auto behind = std::ranges::upper_bound(first_, row);
    if (behind == first_.begin()) return {};
    return span_[static_cast<std::size_t>(behind - first_.begin()) - 1];
  }

 private:
  std::vector<std::uint64_t> first_;
  std::vector<Span> span_;
};

}  // namespace heapcheck::chrome::heaps_v2
