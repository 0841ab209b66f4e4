// Records where the rows of a long array are, with one span for each run of rows. This lets a finding about
// row 123,456 show the bytes around it, although each row takes less than a byte of memory. Owns its columns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "formats/core/bytes.hpp"

namespace heapcheck::chrome::heaps_v2 {

class Runs {
 public:
  /// The number of rows in a full run.
  static constexpr std::size_t run_rows = 64;

  /// Adds a run: `span` contains the rows starting at `first`. Runs must be added in order.
  void add(std::uint64_t first, Span span) {
    open_rows_ = 0;
    if (!first_.empty() && first_.back() == first) return;
    first_.push_back(first);
    span_.push_back(span);
  }

  /// The number of rows, starting at `offset`, that can be added as one run or to the last run.
  [[nodiscard]] std::size_t room(std::uint64_t offset) const {
    return open_rows_ != 0 && span_.back().end() == offset ? run_rows - open_rows_ : run_rows;
  }
  /// Adds `count` rows, which must not exceed room(). The rows are added to the last run if that run was
  /// added by this function, is not full, and ends where the rows begin. Therefore, it makes no difference
  /// how many rows are added at a time.
  void extend(std::uint64_t first, std::size_t count, Span span) {
    const std::size_t before = run_rows - room(span.offset);
    if (before == 0) {
      add(first, span);
    } else {
      span_.back().length += span.length;
    }
    open_rows_ = (before + count) % run_rows;
  }

  /// The span of the run that contains `row`; an empty span at offset 0 if there is no such run.
  [[nodiscard]] Span find(std::uint64_t row) const {
    const auto next = std::ranges::upper_bound(first_, row);
    if (next == first_.begin()) return {};
    return span_[static_cast<std::size_t>(next - first_.begin()) - 1];
  }

 private:
  std::vector<std::uint64_t> first_;
  std::vector<Span> span_;
  std::size_t open_rows_ = 0;  // the number of rows in the last run, if more can be added to it
};

}  // namespace heapcheck::chrome::heaps_v2
