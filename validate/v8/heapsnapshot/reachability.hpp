// Which nodes of a heap snapshot can be reached from the root.
#pragma once

#include <array>
#include <vector>

#include "validate/v8/heapsnapshot/cases.hpp"

namespace heapcheck::validation::v8::heapsnapshot::rules {

inline constexpr Rule nodes_unreachable{
    .id = "v8snap.nodes.unreachable",
    .severity = Severity::note,
    .stage = Stage::check,
    .title = "a node can be reached from the root",
    .reason = "Newer versions of V8 write a few that cannot; DevTools lists them, with no way to them.",
    .anchor = "v8/heapsnapshot.md#graph",
    .since = "0.1",
};

inline constexpr std::array reachability_rules{&nodes_unreachable};

}  // namespace heapcheck::validation::v8::heapsnapshot::rules

namespace heapcheck::validation::v8::heapsnapshot {

/// One finding for all nodes that cannot. The graph must be sound. Linear in nodes and edges.
void check_reachability(const Snapshot& snapshot, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot
