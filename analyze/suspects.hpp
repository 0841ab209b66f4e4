// The parts of a heap to look at first, according to the rules of Eclipse MAT's leak report: nodes, and
// groups of nodes of one type, that retain a large share of the heap. spec: analysis.md#suspects
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

/// For each node, its retained size in bytes (or only the new part of it) and the nodes that it dominates.
struct RetainedTree {
  std::span<const std::uint64_t> sizes;
  const DominatedNodes& dominated;
};

/// The owner in JSON: `program` or `runtime`.
[[nodiscard]] std::string_view name_of(SuspectOwner owner);

/// The nodes that only root nodes dominate, in increasing order.
[[nodiscard]] std::vector<std::uint32_t> find_top_nodes(const Graph& graph, const DominatedNodes& dominated);

/// Sorts nodes by size, largest first, and nodes of the same size by number.
void sort_largest_first(std::span<const std::uint64_t> sizes, std::vector<std::uint32_t>& nodes);

/// The name by which nodes are grouped: the name of the type or, for closures and arrays, their own name,
/// which is more specific than `(closure)`.
[[nodiscard]] std::string_view find_group_name(const Node& node);

/// The types that make up the main contents of the nodes, outermost first. There are at most three. Each type
/// retains at least the share `least_drop` of what the next outer type retains.
[[nodiscard]] std::vector<std::string> find_contents(const Graph& graph, const RetainedTree& retained,
                                                     std::vector<std::uint32_t> nodes, double least_drop);

/// Whether to sort the nodes of groups and find their contents, which takes longer than finding the groups.
enum class GroupDetails : std::uint8_t { found, left_out };

/// The suspects without their paths, sorted by what they retain, largest first.
[[nodiscard]] std::vector<Suspect> find_suspects(const Graph& graph, const RetainedTree& retained,
                                                 const SuspectOptions& options,
                                                 GroupDetails details = GroupDetails::found);

}  // namespace heapcheck::analyze
