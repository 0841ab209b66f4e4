// The largest part of a tree of nodes, such as the part of a dominator tree that retains the most memory.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "analyze/dominators.hpp"
#include "analyze/row_count.hpp"
#include "heapcheck/types/answers.hpp"
#include "heapcheck/types/graph.hpp"

namespace heapcheck::analyze {

enum class Branches : std::uint8_t {
  nodes,
  types,    ///< nodes of the same type at the same place share a row
  outline,  ///< like `types`, but the deeper a row is, the more it must retain to be among the largest
};

/// The name of a row, except in `Branches::nodes`: the type of the node or, for a root, its own name.
[[nodiscard]] std::string_view branch_name_of(const Node& node);

/// The name of an edge, or `[]` if it only has a number, as do the edges to the elements of an array.
[[nodiscard]] std::string_view general_name_of(const Edge& edge);

/// The `limit` rows below `start` that retain the most memory (0 means all of them), and `start` itself. Each
/// row comes after the row that dominates it, and larger rows come first. `retained` contains the retained
/// size of each node in bytes. If `edges` contains the edge that leads to each node, nodes of the same type
/// share a row only if these edges have the same general name.
[[nodiscard]] std::vector<DominatorRow> find_largest_branches(
    const Graph& graph, const DominatedNodes& dominated, std::span<const std::uint64_t> retained,
    std::uint32_t start, Branches branches, std::uint64_t limit, std::span<const std::uint64_t> edges = {});

/// Counts the rows that find_largest_branches() returns without a limit and `edges`. Rows of types are not
/// all counted if they have more than 4 million nodes, because grouping these takes longer than finding the
/// largest.
[[nodiscard]] RowCount count_branches(const Graph& graph, const DominatedNodes& dominated,
                                      std::uint32_t start, Branches branches);

}  // namespace heapcheck::analyze
