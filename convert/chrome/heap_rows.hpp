// Makes the columns of a Heap of rows in any order.
#pragma once

#include <vector>

#include "convert/chrome/profile.hpp"

namespace heapcheck::conversion::chrome {

/// A row on its way into a Heap.
struct HeapRow {
  FrameIndex frame;
  TypeIndex type;
  std::uint64_t size;   ///< bytes
  std::uint64_t count;  ///< objects
};

/// Appends `rows` to `heap`, which has none, in order of frame and type, those of the same added up. Gives
/// how many sums are the largest number instead, for they need more than 64 bits.
std::uint64_t append_rows(std::vector<HeapRow> rows, Heap& heap);

}  // namespace heapcheck::conversion::chrome
