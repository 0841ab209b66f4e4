// Makes the columns of a Heap from rows in any order.
#pragma once

#include <vector>

#include "convert/chrome/profile.hpp"

namespace heapcheck::conversion::chrome {

/// A row that is to be added to a Heap.
struct HeapRow {
  FrameIndex frame;
  TypeIndex type;
  std::uint64_t size;   ///< bytes
  std::uint64_t count;  ///< objects
};

/// Appends `rows` to `heap`, which must be empty, in order of frame and type, and adds up rows of the same
/// frame and type. Returns the number of sums that need more than 64 bits; they are set to the largest number
/// instead.
std::uint64_t append_rows(std::vector<HeapRow> rows, Heap& heap);

}  // namespace heapcheck::conversion::chrome
