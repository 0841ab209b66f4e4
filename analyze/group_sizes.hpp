// What groups of nodes retain together, such as the nodes of a leak.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyze/dominators.hpp"
#include "graph/node_set.hpp"
#include "heapcheck/types/graph.hpp"

namespace heapcheck::analyze {

/// Groups of nodes of a graph, none of which is in two of them.
struct NodeGroups {
  std::vector<std::span<const std::uint32_t>> nodes;  ///< of each group
  std::span<const std::uint32_t> held = {};  ///< nodes outside all groups that the root holds besides its own
};

/// For each group, the size in bytes of everything that would be freed with all of its nodes. Only follows
/// `edges`. Each node of a group must be reachable. `sizes` has one row for each node. Takes time linear in
/// the number of nodes and edges, apart from nodes to which several groups lead, whose dominators are found.
[[nodiscard]] std::vector<std::uint64_t> find_group_sizes(const Graph& graph, const graph::EdgeSet& edges,
                                                          const NodeGroups& groups, const GraphColumn& sizes,
                                                          Unreached unreached);

}  // namespace heapcheck::analyze
