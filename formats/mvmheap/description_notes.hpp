// A summary of reference descriptions that is kept while they are read, piece by piece: a rule that
// only needs it spares a pass over the whole column. Borrows the column it is shown.
#pragma once

#include <cstdint>

#include "formats/mvmheap/column.hpp"

namespace heapcheck::mvmheap {

/// What all descriptions of a snapshot have in common, noted while they are still in the cache.
class DescriptionNotes {
 public:
  /// Takes in the descriptions behind those noted before.
  void update(const Column<std::uint32_t>& descriptions);
  /// Whether every description has a kind from 0 to 2 and an index that fits it, with `strings`
  /// strings known. May say no where a look at each is needed.
  [[nodiscard]] bool hold(std::uint64_t strings) const;

 private:
  std::uint64_t count_ = 0;
  std::uint32_t wrong_ = 0;          // not 0: a kind of 3, or an index with kind 0
  std::int32_t largest_string_ = 0;  // largest description of kind string
  bool is_narrow_ = true;
};

}  // namespace heapcheck::mvmheap
