// Finds paths from the root to one or many nodes. The input is a graph and the shortest path to each node.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/breadth_first.hpp"
#include "heapcheck/types/answers.hpp"
#include "heapcheck/types/graph.hpp"

namespace heapcheck::analyze {

/// The shortest path from the root to a node, or an empty path if no path leads there.
[[nodiscard]] std::vector<PathStep> trace(const graph::ShortestPaths& paths, std::uint32_t node);

/// At most `most` paths from the root to a node, which occurs only once in each path. The shortest path comes
/// first, and each path has two adjacent nodes that are not adjacent in any path before it. A path leaves the
/// tree of shortest paths only where it must (D. Eppstein, "Finding the k Shortest Paths", SIAM J. Comput.
/// 28(2), 1998, which calls such edges sidetracks). There is one path for each node that refers to this
/// node and can be reached without it. Leaves out weak edges. Finds no more paths once those that were found
/// have `most_steps` steps in total. The time for each path is at most linear in the number of nodes and
/// edges. Uses 50 bytes per node and 4 bytes per edge.
[[nodiscard]] std::vector<std::vector<PathStep>> find_paths(const Graph& graph, std::uint32_t node,
                                                            std::size_t most,
                                                            std::size_t most_steps = SIZE_MAX);

/// The shortest paths to all of `nodes`, as one tree: the root and the `limit` places that lead to the most
/// of them (0 means all places). Each place comes after the place above it. Nodes of the same type at the
/// same place share a row if edges with the same name lead to them. spec: analysis.md#merged-paths
[[nodiscard]] std::vector<MergedPathRow> merge_paths(const Graph& graph, const graph::ShortestPaths& paths,
                                                     std::span<const std::uint32_t> nodes,
                                                     std::uint64_t limit);

}  // namespace heapcheck::analyze
