#include "analyze/retained_sizes.hpp"

#include <cstddef>

#include "formats/core/checked.hpp"

namespace heapcheck::analyze {

std::vector<std::uint64_t> find_retained_sizes(const Dominators& dominators,
                                               std::span<const std::uint64_t> sizes) {
  std::vector<std::uint64_t> retained(sizes.size());
  // Backwards, so that the size of a node is complete before it is added to that of its dominator.
  for (std::size_t i = dominators.order.size(); i-- > 0;) {
    const std::uint32_t node = dominators.order[i];
    retained[node] = core::saturating_add(retained[node], sizes[node]);
    if (i == 0) break;
    std::uint64_t& outer = retained[dominators.dominator[node]];
    outer = core::saturating_add(outer, retained[node]);
  }
  return retained;
}

}  // namespace heapcheck::analyze
