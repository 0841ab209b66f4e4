// A summary of reference descriptions, updated piece by piece while they are read, which saves a rule a pass
// over the whole column. Borrows the column that it is given.
#pragma once

#include <cstdint>

#include "formats/mvmheap/column.hpp"

namespace heapcheck::mvmheap {

/// The extremes of descriptions rotated by two bits, so that they sort by kind and then by index.
struct DescriptionExtremes {
  std::uint32_t largest = 0;
  std::uint32_t smallest_less_1 =
      UINT32_MAX;  // kind 0 with index 0 is valid; minus 1, it becomes the largest value
};

/// What all descriptions of a snapshot have in common, recorded while they are still in the cache.
class DescriptionNotes {
 public:
  /// Takes in the descriptions that were added since the last call.
  void update(const Column<std::uint32_t>& descriptions);
  /// Whether every description has a kind from 0 to 2 and an index that is valid for it, if `strings` strings
  /// are known. False if a description takes more than 32 bits.
  [[nodiscard]] bool hold(std::uint64_t strings) const;

 private:
  std::uint64_t count_ = 0;
  DescriptionExtremes extremes_;
  bool is_narrow_ = true;
};

}  // namespace heapcheck::mvmheap
