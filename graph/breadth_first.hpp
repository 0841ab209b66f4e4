// Shortest paths from the root of a graph to every node, and the distance of each node in edges.
#pragma once

#include <cstdint>
#include <vector>

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
/// number of nodes and edges, and 20 bytes per node.
[[nodiscard]] ShortestPaths find_shortest_paths(const Graph& graph,
                                                WeakEdges weak_edges = WeakEdges::followed);

/// The same without weak edges and without the edges of `end`: no path continues from there.
[[nodiscard]] ShortestPaths find_paths_until(const Graph& graph, std::uint32_t end);

/// The same without weak edges, and with a preference for program roots: a node that program roots lead to
/// has a path from one of them, even if a path through the runtime's own roots is shorter.
[[nodiscard]] ShortestPaths find_program_paths(const Graph& graph);

/// In V8 heap snapshots, nodes that only V8 itself refers to have this distance or a larger one, as in
/// DevTools.
inline constexpr std::uint32_t system_distance = 100'000'000;
/// The distance of nodes without a path.
inline constexpr std::uint32_t no_distance = UINT32_MAX;

/// The distance of each node in edges that are not weak, measured as DevTools measures it if its rules apply
/// (HeapSnapshot.ts: calculateDistances). Takes 8 bytes for each node, of which 4 remain.
/// spec: analysis.md#distance
[[nodiscard]] std::vector<std::uint32_t> find_distances(const Graph& graph);

}  // namespace heapcheck::graph
