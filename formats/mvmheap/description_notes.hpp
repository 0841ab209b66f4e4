// A summary of reference descriptions. It is updated piece by piece while they are read, so that rules do not
// have to go through the whole column again. Borrows the column.
#pragma once

#include <cstdint>
#include <optional>

#include "formats/mvmheap/column.hpp"

namespace heapcheck::mvmheap {

/// The largest and the smallest description after each has been rotated by two bits, so that descriptions are
/// ordered by kind and then by index.
struct DescriptionExtremes {
  std::uint32_t largest = 0;
  /// The smallest description minus 1. Kind 0 with index 0 is valid, and subtracting 1 turns it into the
  /// largest value.
  std::uint32_t smallest_less_1 = UINT32_MAX;
};

/// The extremes of all descriptions of a snapshot, recorded while the descriptions are still in the cache.
class DescriptionNotes {
 public:
  /// Adds the descriptions that were appended to the column since the last call, none of which may be
  /// forgotten.
  void update(const Column<std::uint32_t>& descriptions);
  /// Whether every description has a kind from 0 to 2 and an index that is valid for this kind if there are
  /// `strings` strings. False if any description takes more than 32 bits.
  [[nodiscard]] bool hold(std::uint64_t strings) const;
  /// The number of strings that the table must have to cover every string index. Returns nothing if any
  /// description has a kind that does not exist or takes more than 32 bits.
  [[nodiscard]] std::optional<std::uint64_t> needed_strings() const;

 private:
  std::uint64_t count_ = 0;
  DescriptionExtremes extremes_;
  bool is_narrow_ = true;
};

}  // namespace heapcheck::mvmheap
