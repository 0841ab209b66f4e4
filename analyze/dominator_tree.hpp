// The part of a dominator tree that retains the most.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyze/dominators.hpp"
#include "heapcheck/answers.hpp"
#include "heapcheck/graph.hpp"

namespace heapcheck::analyze {

enum class Branches : std::uint8_t {
  nodes,
  types,  ///< nodes of one type at the same place share a row
};

/// The `limit` rows below `start` that retain the most (0: all of them), and `start` itself, each row after
/// the one that dominates it, and the largest first. `retained` has the retained size of each node in bytes.
[[nodiscard]] std::vector<DominatorRow> find_largest_branches(const Graph& graph,
                                                              const DominatedNodes& dominated,
                                                              std::span<const std::uint64_t> retained,
                                                              std::uint32_t start, Branches branches,
                                                              std::uint64_t limit);

}  // namespace heapcheck::analyze
