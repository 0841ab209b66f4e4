// Rules over the nodes of a heap snapshot, but for how many there are and which can be reached.
#pragma once

#include <array>

#include "validate/v8/heapsnapshot/cases.hpp"

namespace heapcheck::validation::v8::heapsnapshot::rules {

inline constexpr Rule nodes_id{
    .id = "v8snap.nodes.id",
    .severity = Severity::warning,
    .stage = Stage::check,
    .title = "the id of a node is its own",
    .reason = "Comparing snapshots goes by ids, and takes both for the same object.",
    .anchor = "v8/heapsnapshot.md#nodes",
    .since = "0.1",
};
inline constexpr Rule nodes_root{
    .id = "v8snap.nodes.root",
    .severity = Severity::note,
    .stage = Stage::check,
    .title = "the first node is V8's root: synthetic, without name and size, of id 1",
    .reason = "Other engines have others; all readers take the first node for the root.",
    .anchor = "v8/heapsnapshot.md#nodes",
    .since = "0.1",
};
inline constexpr Rule nodes_trace_node{
    .id = "v8snap.nodes.trace-node",
    .severity = Severity::warning,
    .stage = Stage::check,
    .title = "the `trace_node_id` of a node is 0, or in the trace tree",
    .reason = "Where the object was allocated is not known; DevTools shows it without a stack, or fails.",
    .anchor = "v8/heapsnapshot.md#trace-tree",
    .since = "0.1",
};
inline constexpr Rule nodes_type{
    .id = "v8snap.nodes.type",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "the type of a node is one that `meta` names",
    .reason = "Readers find no name for it; DevTools fails.",
    .anchor = "v8/heapsnapshot.md#nodes",
    .since = "0.1",
};

inline constexpr std::array node_rules{&nodes_id, &nodes_root, &nodes_trace_node, &nodes_type};

}  // namespace heapcheck::validation::v8::heapsnapshot::rules

namespace heapcheck::validation::v8::heapsnapshot {

void check_nodes(const Snapshot& snapshot, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot
