// Rules over how many there are of everything: arrays against their columns, the header against the arrays,
// and nodes against edges.
#pragma once

#include "validate/v8/heapsnapshot/cases.hpp"

namespace heapcheck::validation::v8::heapsnapshot {

namespace rules {

inline constexpr Rule edges_count{
    "v8snap.edges.count",
    Severity::error,
    Stage::check,
    "there are as many edges as the header says",
    "DevTools makes its array as long as the header says: it drops edges, or adds some of zeros.",
    "v8/heapsnapshot.md#edges",
    "0.1"};
inline constexpr Rule edges_per_node{"v8snap.edges.per-node",
                                     Severity::error,
                                     Stage::check,
                                     "the `edge_count` of all nodes together is the number of edges",
                                     "Edges belong to nodes by these counts alone: behind a wrong one, "
                                     "all readers give nodes edges of others.",
                                     "v8/heapsnapshot.md#edges",
                                     "0.1"};
inline constexpr Rule nodes_count{
    "v8snap.nodes.count",
    Severity::error,
    Stage::check,
    "there are as many nodes as the header says",
    "DevTools makes its array as long as the header says: it drops nodes, or adds some of zeros.",
    "v8/heapsnapshot.md#nodes",
    "0.1"};
inline constexpr Rule nodes_none{"v8snap.nodes.none",
                                 Severity::error,
                                 Stage::check,
                                 "there is a node, the root",
                                 "Readers begin at the root, and fail.",
                                 "v8/heapsnapshot.md#nodes",
                                 "0.1"};
inline constexpr Rule section_length{"v8snap.section.length",
                                     Severity::error,
                                     Stage::check,
                                     "an array of numbers holds whole rows of the columns that `meta` names",
                                     "A number was lost or added, so all that follow stand in wrong columns.",
                                     "v8/heapsnapshot.md#sections",
                                     "0.1"};
inline constexpr Rule trace_functions_count{
    "v8snap.trace-functions.count",
    Severity::error,
    Stage::check,
    "there are no fewer functions than the header says",
    "DevTools makes its array as long as the header says, and adds some of zeros.",
    "v8/heapsnapshot.md#trace-functions",
    "0.1"};
inline constexpr Rule trace_functions_undercount{
    "v8snap.trace-functions.undercount",
    Severity::note,
    Stage::check,
    "the header counts all functions",
    "V8 counts before it writes, and adds some while it does; DevTools drops those, and may fail.",
    "v8/heapsnapshot.md#trace-functions",
    "0.1"};

}  // namespace rules

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
