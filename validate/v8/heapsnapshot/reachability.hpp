// Checks which nodes of a heap snapshot can be reached from the root.
#pragma once

#include <vector>

#include "validate/v8/heapsnapshot/cases.hpp"
#include "validate/v8/heapsnapshot/rules.hpp"

namespace heapcheck::validation::v8::heapsnapshot {

/// Reports one finding for all nodes that cannot be reached. The graph must be sound. Takes time linear in
/// the number of nodes and edges.
void check_reachability(const Snapshot& snapshot, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot
