#include "analyze/retained_sizes.hpp"

#include <cstddef>

#include "formats/core/checked.hpp"
#include "graph/retention.hpp"

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

Retention find_retention(const Graph& graph) {
  const graph::EdgeSet edges = graph::find_retaining_edges(graph);
  const auto unreached = graph::has_devtools_rules(graph) ? Unreached::held_by_root : Unreached::left_out;
  Retention retention{find_dominators(graph, edges, unreached), graph::find_counted_sizes(graph), {}};
  retention.retained = find_retained_sizes(retention.dominators, retention.sizes);
  return retention;
}

}  // namespace heapcheck::analyze
