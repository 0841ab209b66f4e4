// Checks the edges of a heap snapshot, and everything else that refers to nodes.
#pragma once

#include "validate/v8/heapsnapshot/cases.hpp"
#include "validate/v8/heapsnapshot/rules.hpp"

namespace heapcheck::validation::v8::heapsnapshot {

void check_edges(const Snapshot& snapshot, core::FindingSink& sink);
/// Checks `to_node` and all other positions of nodes. All nodes must have been read.
void check_node_places(const Snapshot& snapshot, core::FindingSink& sink);
void check_repeated_locations(const Snapshot& snapshot, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot
