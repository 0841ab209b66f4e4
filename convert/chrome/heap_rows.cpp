#include "convert/chrome/heap_rows.hpp"

#include <algorithm>
#include <utility>

#include "formats/core/checked.hpp"

namespace heapcheck::conversion::chrome {
namespace {

/// Adds `value` to `sum`. Returns 1 if the sum does not fit into 64 bits, otherwise 0.
std::uint64_t add_up(std::uint64_t& sum, std::uint64_t value) {
  const bool fits = core::checked_add(sum, value).has_value();
  sum = core::saturating_add(sum, value);
  return fits ? 0 : 1;
}

}  // namespace

std::uint64_t append_rows(std::vector<HeapRow> rows, Heap& heap) {
  const auto key = [](const HeapRow& row) { return std::pair(row.frame, row.type); };
  if (!std::ranges::is_sorted(rows, {}, key)) std::ranges::sort(rows, {}, key);
  std::uint64_t lost_sums = 0;
  for (const HeapRow& row : rows) {
    if (heap.row_count() != 0 && heap.frame.back() == row.frame && heap.type.back() == row.type) {
      lost_sums += add_up(heap.size.back(), row.size) + add_up(heap.count.back(), row.count);
    } else {
      heap.add(row.frame, row.type, row.size, row.count);
    }
  }
  return lost_sums;
}

}  // namespace heapcheck::conversion::chrome
