// What leads to a suspect, in the words of the source code: the variable, property or class that a person
// knows, and whether the program or the runtime holds it. Reads the graph and the paths of the suspects.
// spec: analysis.md#what-leads-there
#pragma once

#include <string_view>
#include <vector>

#include "analyze/dominators.hpp"
#include "heapcheck/types/answers.hpp"
#include "heapcheck/types/graph.hpp"

namespace heapcheck::analyze {

/// Sets the way and the owner of each suspect, whose path must be known.
void add_ways(const Graph& graph, const DominatedNodes& dominated, std::vector<Suspect>& suspects);

/// Whether a file is one of the program's own, rather than one of the runtime's, such as `node:events`. In
/// graphs whose program files have absolute paths or URLs, files without them are the runtime's.
[[nodiscard]] bool is_program_file(std::string_view file, bool has_absolute);

}  // namespace heapcheck::analyze
