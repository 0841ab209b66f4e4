// What leads to a suspect, in the words of the source code: the variable, property or class that a person
// knows, and whether the program or the runtime holds it. Reads the graph and the paths of the suspects.
// spec: analysis.md#what-leads-there
#pragma once

#include <vector>

#include "analyze/dominators.hpp"
#include "heapcheck/types/answers.hpp"
#include "heapcheck/types/graph.hpp"

namespace heapcheck::analyze {

/// Sets the way and the owner of each suspect, whose path must be known.
void add_ways(const Graph& graph, const DominatedNodes& dominated, std::vector<Suspect>& suspects);

}  // namespace heapcheck::analyze
