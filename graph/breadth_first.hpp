// Shortest paths from the root of a graph to every node, and the distance of each node in edges.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/node_set.hpp"
#include "heapcheck/types/graph.hpp"

namespace heapcheck::graph {

/// The distance of each node from the root, and a shortest path to it: columns with one row per node.
struct ShortestPaths {
  static constexpr std::uint32_t unreached = UINT32_MAX;
  static constexpr std::uint64_t no_edge = UINT64_MAX;

  std::vector<std::uint32_t> distance;  ///< in edges; `unreached` if no path leads there
  std::vector<std::uint32_t> parent;    ///< the previous node on the path; `unreached` if there is none
  /// The edge from the parent; `no_edge` for the root and for unreached nodes.
  std::vector<std::uint64_t> parent_edge;
};

enum class WeakEdges : std::uint8_t { followed, left_out };

/// If a node has several shortest paths, finds the one with the earliest edges. Takes time linear in the
/// number of nodes and edges, and uses 20 bytes per node.
[[nodiscard]] ShortestPaths find_shortest_paths(const Graph& graph,
                                                WeakEdges weak_edges = WeakEdges::followed);

/// Does the same without weak edges and without the edges of `end`, so that no path continues from there.
[[nodiscard]] ShortestPaths find_paths_until(const Graph& graph, std::uint32_t end);

/// Nodes through which a path leads only if there is no other way, so that the path explains why a heap grew.
struct AvoidedNodes {
  NodeSet young;     ///< nodes that an earlier snapshot does not have
  NodeSet suspects;  ///< avoided before all others
};

/// Does the same for `edges` only, and prefers program roots: a node that can be reached from program roots
/// has a path from one of them, even if a path through the runtime's own roots is shorter. A path through
/// these roots is preferred to one that leads through a suspect, however. Momentary roots come last, because
/// the path from one would be a different one in each snapshot. Stops when all of `ends` have been found, so
/// other nodes may have no path.
[[nodiscard]] ShortestPaths find_program_paths(const Graph& graph, const EdgeSet& edges,
                                               const AvoidedNodes& avoided, const NodeSet& ends);

/// In V8 heap snapshots, nodes to which only V8 itself refers have this distance or a larger one, as in
/// DevTools.
inline constexpr std::uint32_t system_distance = 100'000'000;
/// The distance of nodes to which no path leads.
inline constexpr std::uint32_t no_distance = UINT32_MAX;

/// The distance of each node, in edges that are not weak. If DevTools' rules apply, it is measured as in
/// DevTools (HeapSnapshot.ts: calculateDistances). Uses 8 bytes for each node, 4 of which are for the result.
/// spec: analysis.md#distance
[[nodiscard]] std::vector<std::uint32_t> find_distances(const Graph& graph);

}  // namespace heapcheck::graph
