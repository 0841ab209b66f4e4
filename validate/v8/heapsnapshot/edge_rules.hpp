// Rules over the edges of a heap snapshot, and over everything else that leads to nodes.
#pragma once

#include "validate/v8/heapsnapshot/cases.hpp"

namespace heapcheck::validation::v8::heapsnapshot {

namespace rules {

inline constexpr Rule edges_to_node_alignment{
    "v8snap.edges.to-node-alignment",
    Severity::error,
    Stage::check,
    "`to_node` is the place of a node's first number: a multiple of the number of columns",
    "DevTools ends with `Invalid toNodeIndex`; others take numbers of two nodes for one.",
    "v8/heapsnapshot.md#edges",
    "0.1"};
inline constexpr Rule edges_to_node_range{"v8snap.edges.to-node-range",
                                          Severity::error,
                                          Stage::check,
                                          "`to_node` leads to a node",
                                          "Readers read behind the array, and fail or find nothing.",
                                          "v8/heapsnapshot.md#edges",
                                          "0.1"};
inline constexpr Rule edges_type{"v8snap.edges.type",
                                 Severity::error,
                                 Stage::check,
                                 "the type of an edge is one that `meta` names",
                                 "Readers find no name for it, and cannot tell whether it has one itself.",
                                 "v8/heapsnapshot.md#edges",
                                 "0.1"};
inline constexpr Rule locations_node{"v8snap.locations.node",
                                     Severity::error,
                                     Stage::check,
                                     "a location belongs to a node",
                                     "Readers give it to another node, or to none.",
                                     "v8/heapsnapshot.md#locations",
                                     "0.1"};
inline constexpr Rule locations_repeated{"v8snap.locations.repeated",
                                         Severity::warning,
                                         Stage::check,
                                         "a node has one location at most",
                                         "Readers keep the last one.",
                                         "v8/heapsnapshot.md#locations",
                                         "0.1"};
inline constexpr Rule scopes_node{"v8snap.scopes.node",
                                  Severity::error,
                                  Stage::check,
                                  "a scope belongs to the node of a script",
                                  "DevTools shows its variables at another node, or at none.",
                                  "v8/heapsnapshot.md#scopes",
                                  "0.1"};

}  // namespace rules

void check_edges(const Snapshot& snapshot, core::FindingSink& sink);
/// `to_node` and other places of nodes. All nodes must be there.
void check_node_places(const Snapshot& snapshot, core::FindingSink& sink);
void check_repeated_locations(const Snapshot& snapshot, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot
