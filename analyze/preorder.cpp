#include "analyze/preorder.hpp"

#include <cstddef>
#include <ranges>

namespace heapcheck::analyze {

Preorder find_preorder(const Dominators& dominators) {
  const std::vector<std::uint32_t>& order = dominators.order;
  const std::vector<std::uint32_t>& dominator = dominators.dominator;
  std::vector<std::uint32_t> count(dominator.size(), 1);  // of the nodes that each node dominates, and itself
  for (const std::uint32_t node : std::views::reverse(order)) {
    if (dominator[node] != Dominators::none) count[dominator[node]] += count[node];
  }
  Preorder out{.nodes = std::vector<std::uint32_t>(order.size()),
               .end = std::vector<std::uint32_t>(order.size())};
  std::vector<std::uint32_t> next(dominator.size());  // the place of the next node that each node dominates
  for (const std::uint32_t node : order) {
    const bool is_root = dominator[node] == Dominators::none;
    const std::uint32_t place = is_root ? 0 : next[dominator[node]];
    if (!is_root) next[dominator[node]] += count[node];
    next[node] = place + 1;
    out.nodes[place] = node;
    out.end[place] = place + count[node];
  }
  return out;
}

}  // namespace heapcheck::analyze
