// The parts of a heap that a person should look at first, by the rules of Eclipse MAT's leak report: nodes,
// and groups of nodes of one type, that retain a large share of the heap. spec: analysis.md#suspects
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/dominators.hpp"
#include "heapcheck/types/answers.hpp"
#include "heapcheck/types/graph.hpp"

namespace heapcheck::analyze {

/// The retained size of each node in bytes, or how much of it is new, and the nodes that it dominates.
struct RetainedTree {
  std::span<const std::uint64_t> sizes;
  const DominatedNodes& dominated;
};

/// The nodes that only nodes for roots dominate, in increasing order.
[[nodiscard]] std::vector<std::uint32_t> find_top_nodes(const Graph& graph, const DominatedNodes& dominated);

/// What nodes are grouped by: the names of their types, but closures and arrays by their own names, which say
/// more than `(closure)` does.
[[nodiscard]] std::string_view find_group_name(const Node& node);

/// The types of what the nodes hold most of, from the outside in: each retains at least `least_drop` of what
/// the one outside does. At most three.
[[nodiscard]] std::vector<std::string> find_contents(const Graph& graph, const RetainedTree& retained,
                                                     std::vector<std::uint32_t> nodes, double least_drop);

/// The suspects without their paths, those that retain the most first.
[[nodiscard]] std::vector<Suspect> find_suspects(const Graph& graph, const RetainedTree& retained,
                                                 const SuspectOptions& options);

}  // namespace heapcheck::analyze
