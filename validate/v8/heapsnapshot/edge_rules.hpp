// Rules over the edges of a heap snapshot, and over everything else that leads to nodes.
#pragma once

#include <array>

#include "validate/v8/heapsnapshot/cases.hpp"

namespace heapcheck::validation::v8::heapsnapshot::rules {

inline constexpr Rule edges_to_node_alignment{
    .id = "v8snap.edges.to-node-alignment",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "`to_node` is the place of a node's first number: a multiple of the number of columns",
    .reason = "DevTools ends with `Invalid toNodeIndex`; others take numbers of two nodes for one.",
    .anchor = "v8/heapsnapshot.md#edges",
    .since = "0.1",
};
inline constexpr Rule edges_to_node_range{
    .id = "v8snap.edges.to-node-range",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "`to_node` leads to a node",
    .reason = "Readers read behind the array, and fail or find nothing.",
    .anchor = "v8/heapsnapshot.md#edges",
    .since = "0.1",
};
inline constexpr Rule edges_type{
    .id = "v8snap.edges.type",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "the type of an edge is one that `meta` names",
    .reason = "Readers find no name for it, and cannot tell whether it has one itself.",
    .anchor = "v8/heapsnapshot.md#edges",
    .since = "0.1",
};
inline constexpr Rule locations_node{
    .id = "v8snap.locations.node",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "a location belongs to a node",
    .reason = "Readers give it to another node, or to none.",
    .anchor = "v8/heapsnapshot.md#locations",
    .since = "0.1",
};
inline constexpr Rule locations_repeated{
    .id = "v8snap.locations.repeated",
    .severity = Severity::warning,
    .stage = Stage::check,
    .title = "a node has one location at most",
    .reason = "Readers keep the last one.",
    .anchor = "v8/heapsnapshot.md#locations",
    .since = "0.1",
};
inline constexpr Rule scopes_node{
    .id = "v8snap.scopes.node",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "a scope belongs to the node of a script",
    .reason = "DevTools shows its variables at another node, or at none.",
    .anchor = "v8/heapsnapshot.md#scopes",
    .since = "0.1",
};

inline constexpr std::array edge_rules{
    &edges_to_node_alignment, &edges_to_node_range, &edges_type,
    &locations_node,          &locations_repeated,  &scopes_node,
};

}  // namespace heapcheck::validation::v8::heapsnapshot::rules

namespace heapcheck::validation::v8::heapsnapshot {

void check_edges(const Snapshot& snapshot, core::FindingSink& sink);
/// `to_node` and other places of nodes. All nodes must be there.
void check_node_places(const Snapshot& snapshot, core::FindingSink& sink);
void check_repeated_locations(const Snapshot& snapshot, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot
