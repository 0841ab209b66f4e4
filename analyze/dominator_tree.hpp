// The largest part of a tree of nodes, such as the part of a dominator tree that retains the most.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "analyze/dominators.hpp"
#include "heapcheck/types/answers.hpp"
#include "heapcheck/types/graph.hpp"

namespace heapcheck::analyze {

enum class Branches : std::uint8_t {
  nodes,
  types,    ///< nodes of one type at the same place share a row
  outline,  ///< the same, but the deeper a row is, the more it must retain to be among the largest
};

/// What rows are named by, except those of `Branches::nodes`: the type of the node; for a root, its own name.
[[nodiscard]] std::string_view branch_name_of(const Node& node);

/// The name of an edge; `[]` if it only has a number, as the edges to the elements of an array do.
[[nodiscard]] std::string_view general_name_of(const Edge& edge);

/// The `limit` rows below `start` that retain the most (0: all of them), and `start` itself, each row after
/// the one that dominates it, and the largest first. `retained` has the retained size of each node in bytes.
/// If `edges` has the edge that leads to each node, nodes of one type only share a row if these edges have
/// the same general name.
[[nodiscard]] std::vector<DominatorRow> find_largest_branches(
    const Graph& graph, const DominatedNodes& dominated, std::span<const std::uint64_t> retained,
    std::uint32_t start, Branches branches, std::uint64_t limit, std::span<const std::uint64_t> edges = {});

}  // namespace heapcheck::analyze
