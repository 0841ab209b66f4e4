// A summary of reference descriptions that is kept while they are read, piece by piece: a rule that
// only needs it spares a pass over the whole column. Borrows the column it is shown.
#pragma once

#include <cstdint>

#include "formats/mvmheap/column.hpp"

namespace heapcheck::mvmheap {

/// The extremes of descriptions turned by two bits, which puts them in order of kind, then of index.
struct DescriptionExtremes {
  std::uint32_t largest = 0;
  std::uint32_t smallest_less_1 = UINT32_MAX;  // of kind 0, index 0 is right: less 1 it comes last
};

/// What all descriptions of a snapshot have in common, noted while they are still in the cache.
class DescriptionNotes {
 public:
  /// Takes in the descriptions behind those noted before.
  void update(const Column<std::uint32_t>& descriptions);
  /// Whether every description has a kind from 0 to 2 and an index that fits it, with `strings`
  /// strings known. Says no where a description is over 32 bits.
  [[nodiscard]] bool hold(std::uint64_t strings) const;

 private:
  std::uint64_t count_ = 0;
  DescriptionExtremes extremes_;
  bool is_narrow_ = true;
};

}  // namespace heapcheck::mvmheap
