// Rules over how many there are of everything: arrays against their columns, the header against the arrays,
// and nodes against edges.
#pragma once

#include <array>

#include "validate/v8/heapsnapshot/cases.hpp"

namespace heapcheck::validation::v8::heapsnapshot::rules {

inline constexpr Rule edges_count{
    .id = "v8snap.edges.count",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "there are as many edges as the header says",
    .reason = "DevTools makes its array as long as the header says: it drops edges, or adds some of zeros.",
    .anchor = "v8/heapsnapshot.md#edges",
    .since = "0.1",
};
inline constexpr Rule edges_per_node{
    .id = "v8snap.edges.per-node",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "the `edge_count` of all nodes together is the number of edges",
    .reason =
        "Edges belong to nodes by these counts alone: behind a wrong one, all readers give nodes edges of "
        "others.",
    .anchor = "v8/heapsnapshot.md#edges",
    .since = "0.1",
};
inline constexpr Rule nodes_count{
    .id = "v8snap.nodes.count",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "there are as many nodes as the header says",
    .reason = "DevTools makes its array as long as the header says: it drops nodes, or adds some of zeros.",
    .anchor = "v8/heapsnapshot.md#nodes",
    .since = "0.1",
};
inline constexpr Rule nodes_none{
    .id = "v8snap.nodes.none",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "there is a node, the root",
    .reason = "Readers begin at the root, and fail.",
    .anchor = "v8/heapsnapshot.md#nodes",
    .since = "0.1",
};
inline constexpr Rule section_length{
    .id = "v8snap.section.length",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "an array of numbers holds whole rows of the columns that `meta` names",
    .reason = "A number was lost or added, so all that follow stand in wrong columns.",
    .anchor = "v8/heapsnapshot.md#sections",
    .since = "0.1",
};
inline constexpr Rule trace_functions_count{
    .id = "v8snap.trace-functions.count",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "there are no fewer functions than the header says",
    .reason = "DevTools makes its array as long as the header says, and adds some of zeros.",
    .anchor = "v8/heapsnapshot.md#trace-functions",
    .since = "0.1",
};
inline constexpr Rule trace_functions_undercount{
    .id = "v8snap.trace-functions.undercount",
    .severity = Severity::note,
    .stage = Stage::check,
    .title = "the header counts all functions",
    .reason = "V8 counts before it writes, and adds some while it does; DevTools drops those, and may fail.",
    .anchor = "v8/heapsnapshot.md#trace-functions",
    .since = "0.1",
};

inline constexpr std::array count_rules{
    &edges_count,
    &edges_per_node,
    &nodes_count,
    &nodes_none,
    &section_length,
    &trace_functions_count,
    &trace_functions_undercount,
};

}  // namespace heapcheck::validation::v8::heapsnapshot::rules

namespace heapcheck::validation::v8::heapsnapshot {

/// What the counts say about the parts of the graph.
struct GraphSoundness {
  bool nodes = false;  ///< all nodes are there
  bool edges = false;  ///< all edges are there
  bool graph = false;  ///< both, and each edge belongs to the node that it should
};

void check_lengths(const Snapshot& snapshot, core::FindingSink& sink);
/// Says what of the graph can be judged further; where it is not all, records the skip.
[[nodiscard]] GraphSoundness check_graph_counts(const Snapshot& snapshot, core::FindingSink& sink);
void check_trace_function_count(const Snapshot& snapshot, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot
