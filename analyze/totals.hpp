// Counts the nodes of a graph by kind, or by the names of their types, and equal strings.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyze/dominators.hpp"
#include "heapcheck/types/answers.hpp"
#include "heapcheck/types/graph.hpp"

namespace heapcheck::analyze {

/// The retained size of each node in bytes, and the dominator tree.
struct Retained {
  std::span<const std::uint64_t> sizes;
  const Preorder& order;
};

/// The nodes of each kind that has any, in the order of the format's kinds. Their retained sizes are 0.
[[nodiscard]] std::vector<NodeTotals> count_kinds(const Graph& graph);

/// The totals of `of`, largest first; rows that are equal in that are in the order of their names. Nodes
/// whose types have the same name share a row. Takes 24 bytes per string of the graph, and 4 per node.
[[nodiscard]] std::vector<NodeTotals> count_top(const Graph& graph, TopOf of, TopBy by,
                                                const Retained& retained);

/// Sorts rows by `by`, then by size and count, largest first. Before, they are in the order of their names,
/// which decides between equal ones.
[[nodiscard]] std::vector<NodeTotals> sort_largest_first(std::vector<NodeTotals> rows, TopBy by);

/// Strings that have their contents and size in common with others, those that waste the most first. The
/// contents of long strings are cut in the file, so the sizes have to be equal, too.
[[nodiscard]] std::vector<DuplicateStrings> find_duplicates(const Graph& graph);

}  // namespace heapcheck::analyze
