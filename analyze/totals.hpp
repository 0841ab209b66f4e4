// Counts the nodes of a graph by kind, or by the names of their types.
#pragma once

#include <vector>

#include "heapcheck/answers.hpp"
#include "heapcheck/graph.hpp"

namespace heapcheck::analyze {

/// The nodes of each kind that has any, in the order of the format's kinds.
[[nodiscard]] std::vector<NodeTotals> count_kinds(const Graph& graph);

/// The totals of `of`, largest first; rows that are equal in that are in the order of their names. Nodes
/// whose types have the same name share a row. Takes 20 bytes per string of the graph.
[[nodiscard]] std::vector<NodeTotals> count_top(const Graph& graph, TopOf of, TopBy by);

}  // namespace heapcheck::analyze
