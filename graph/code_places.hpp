// Finds the places in source code of MoarVM's code objects, which the dump states only for running frames.
#pragma once

#include <string_view>

#include "heapcheck/types/graph.hpp"

namespace heapcheck::graph {

/// Whether add_code_places() may give places to the objects of a type.
[[nodiscard]] bool is_code_type(std::string_view type);

/// Gives code objects and static frames the place of a frame that runs their code, if there is one. The
/// graph must be that of a MoarVM dump, with the places of its frames. spec: analysis.md#places
void add_code_places(Graph& graph);

}  // namespace heapcheck::graph
