// Rules over the nodes of a heap snapshot, but for how many there are and which can be reached.
#pragma once

#include "validate/v8/heapsnapshot/cases.hpp"

namespace heapcheck::validation::v8::heapsnapshot {

namespace rules {

inline constexpr Rule nodes_id{"v8snap.nodes.id",
                               Severity::warning,
                               Stage::check,
                               "the id of a node is its own",
                               "Comparing snapshots goes by ids, and takes both for the same object.",
                               "v8/heapsnapshot.md#nodes",
                               "0.1"};
inline constexpr Rule nodes_root{"v8snap.nodes.root",
                                 Severity::note,
                                 Stage::check,
                                 "the first node is V8's root: synthetic, without name and size, of id 1",
                                 "Other engines have others; all readers take the first node for the root.",
                                 "v8/heapsnapshot.md#nodes",
                                 "0.1"};
inline constexpr Rule nodes_trace_node{
    "v8snap.nodes.trace-node",
    Severity::warning,
    Stage::check,
    "the `trace_node_id` of a node is 0, or in the trace tree",
    "Where the object was allocated is not known; DevTools shows it without a stack, or fails.",
    "v8/heapsnapshot.md#trace-tree",
    "0.1"};
inline constexpr Rule nodes_type{"v8snap.nodes.type",
                                 Severity::error,
                                 Stage::check,
                                 "the type of a node is one that `meta` names",
                                 "Readers find no name for it; DevTools fails.",
                                 "v8/heapsnapshot.md#nodes",
                                 "0.1"};

}  // namespace rules

void check_nodes(const Snapshot& snapshot, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot
