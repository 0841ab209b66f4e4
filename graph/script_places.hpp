// Finds the places in source code of the nodes of a V8 heap snapshot. Reads the model, and adds to the graph.
#pragma once

#include "formats/v8/heapsnapshot/model.hpp"
#include "graph/make_empty.hpp"
#include "heapcheck/types/graph.hpp"

namespace heapcheck::graph {

/// Sets the largest numbers of places that add_script_places() can add.
void measure_script_places(const v8::heapsnapshot::Snapshot& snapshot, Extent& extent);

/// Adds the places of functions, and of objects whose constructors have places. A file that has no locations
/// names only the scripts of functions, so their lines and columns are unknown. Adds nothing if the section
/// `locations` is damaged, because no other answer depends on it. spec: v8/heapsnapshot.md#locations
void add_script_places(const v8::heapsnapshot::Snapshot& snapshot, Graph& graph);

}  // namespace heapcheck::graph
