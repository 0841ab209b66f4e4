// How many edges each node is away from the root. Owns nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "heapcheck/types/graph.hpp"

namespace heapcheck::graph {

/// Distances in V8 heap snapshots from this on are of nodes that only V8 itself refers to, as in DevTools.
inline constexpr std::uint32_t system_distance = 100'000'000;
/// The distance of nodes that no path leads to.
inline constexpr std::uint32_t no_distance = UINT32_MAX;

/// The distance of each node in edges that are not weak, measured as DevTools measures it if its rules apply
/// (HeapSnapshot.ts: calculateDistances). Takes 8 bytes for each node, of which 4 remain.
/// spec: analysis.md#distance
[[nodiscard]] std::vector<std::uint32_t> find_distances(const Graph& graph);

}  // namespace heapcheck::graph
