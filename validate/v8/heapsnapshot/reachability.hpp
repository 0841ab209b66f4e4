// Which nodes of a heap snapshot can be reached from the root.
#pragma once

#include <vector>

#include "validate/v8/heapsnapshot/cases.hpp"

namespace heapcheck::validation::v8::heapsnapshot {

namespace rules {

inline constexpr Rule nodes_unreachable{
    "v8snap.nodes.unreachable",
    Severity::note,
    Stage::check,
    "a node can be reached from the root",
    "Newer versions of V8 write a few that cannot; DevTools lists them, with no way to them.",
    "v8/heapsnapshot.md#graph",
    "0.1"};

}  // namespace rules

/// One finding for all nodes that cannot. The graph must be sound. Linear in nodes and edges.
void check_reachability(const Snapshot& snapshot, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot
