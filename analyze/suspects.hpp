// The parts of a heap that a person should look at first, by the rules of Eclipse MAT's leak report: nodes,
// and groups of nodes of one type, that retain a large share of the heap. spec: analysis.md#suspects
#pragma once

#include <vector>

#include "analyze/dominators.hpp"
#include "analyze/totals.hpp"
#include "heapcheck/answers.hpp"
#include "heapcheck/graph.hpp"

namespace heapcheck::analyze {

/// The suspects without their paths, those that retain the most first.
[[nodiscard]] std::vector<Suspect> find_suspects(const Graph& graph, const Retained& retained,
                                                 const SuspectOptions& options);

}  // namespace heapcheck::analyze
