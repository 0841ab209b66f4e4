// What must hold of a heap snapshot.
#pragma once

#include <array>

#include "heapcheck/finding.hpp"

namespace heapcheck::validation::v8::heapsnapshot::rules {

// One line a member, however long.
// clang-format off
inline constexpr Rule edges_count{
    .id = "v8snap.edges.count", .severity = Severity::error, .stage = Stage::check,
    .title = "there are as many edges as the header says",
    .reason = "DevTools makes its array as long as the header says: it drops edges, or adds some of zeros.",
    .anchor = "v8/heapsnapshot.md#edges", .since = "0.1"};
inline constexpr Rule edges_per_node{
    .id = "v8snap.edges.per-node", .severity = Severity::error, .stage = Stage::check,
    .title = "the `edge_count` of all nodes together is the number of edges",
    .reason = "Edges belong to nodes by these counts alone: behind a wrong one, all readers give nodes edges of others.",
    .anchor = "v8/heapsnapshot.md#edges", .since = "0.1"};
inline constexpr Rule edges_to_node_alignment{
    .id = "v8snap.edges.to-node-alignment", .severity = Severity::error, .stage = Stage::check,
    .title = "`to_node` is the place of a node's first number: a multiple of the number of columns",
    .reason = "DevTools ends with `Invalid toNodeIndex`; others take numbers of two nodes for one.",
    .anchor = "v8/heapsnapshot.md#edges", .since = "0.1"};
inline constexpr Rule edges_to_node_range{
    .id = "v8snap.edges.to-node-range", .severity = Severity::error, .stage = Stage::check,
    .title = "`to_node` leads to a node",
    .reason = "Readers read behind the array, and fail or find nothing.",
    .anchor = "v8/heapsnapshot.md#edges", .since = "0.1"};
inline constexpr Rule edges_type{
    .id = "v8snap.edges.type", .severity = Severity::error, .stage = Stage::check,
    .title = "the type of an edge is one that `meta` names",
    .reason = "Readers find no name for it, and cannot tell whether it has one itself.",
    .anchor = "v8/heapsnapshot.md#edges", .since = "0.1"};
inline constexpr Rule locations_node{
    .id = "v8snap.locations.node", .severity = Severity::error, .stage = Stage::check,
    .title = "a location belongs to a node",
    .reason = "Readers give it to another node, or to none.",
    .anchor = "v8/heapsnapshot.md#locations", .since = "0.1"};
inline constexpr Rule locations_repeated{
    .id = "v8snap.locations.repeated", .severity = Severity::warning, .stage = Stage::check,
    .title = "a node has one location at most",
    .reason = "Readers keep the last one.",
    .anchor = "v8/heapsnapshot.md#locations", .since = "0.1"};
inline constexpr Rule nodes_count{
    .id = "v8snap.nodes.count", .severity = Severity::error, .stage = Stage::check,
    .title = "there are as many nodes as the header says",
    .reason = "DevTools makes its array as long as the header says: it drops nodes, or adds some of zeros.",
    .anchor = "v8/heapsnapshot.md#nodes", .since = "0.1"};
inline constexpr Rule nodes_id{
    .id = "v8snap.nodes.id", .severity = Severity::warning, .stage = Stage::check,
    .title = "the id of a node is its own",
    .reason = "Comparing snapshots goes by ids, and takes both for the same object.",
    .anchor = "v8/heapsnapshot.md#nodes", .since = "0.1"};
inline constexpr Rule nodes_none{
    .id = "v8snap.nodes.none", .severity = Severity::error, .stage = Stage::check,
    .title = "there is a node, the root",
    .reason = "Readers begin at the root, and fail.",
    .anchor = "v8/heapsnapshot.md#nodes", .since = "0.1"};
inline constexpr Rule nodes_root{
    .id = "v8snap.nodes.root", .severity = Severity::note, .stage = Stage::check,
    .title = "the first node is V8's root: synthetic, without name and size, of id 1",
    .reason = "Other engines have others; all readers take the first node for the root.",
    .anchor = "v8/heapsnapshot.md#nodes", .since = "0.1"};
inline constexpr Rule nodes_trace_node{
    .id = "v8snap.nodes.trace-node", .severity = Severity::warning, .stage = Stage::check,
    .title = "the `trace_node_id` of a node is 0, or in the trace tree",
    .reason = "Where the object was allocated is not known; DevTools shows it without a stack, or fails.",
    .anchor = "v8/heapsnapshot.md#trace-tree", .since = "0.1"};
inline constexpr Rule nodes_type{
    .id = "v8snap.nodes.type", .severity = Severity::error, .stage = Stage::check,
    .title = "the type of a node is one that `meta` names",
    .reason = "Readers find no name for it; DevTools fails.",
    .anchor = "v8/heapsnapshot.md#nodes", .since = "0.1"};
inline constexpr Rule nodes_unreachable{
    .id = "v8snap.nodes.unreachable", .severity = Severity::note, .stage = Stage::check,
    .title = "a node can be reached from the root",
    .reason = "Newer versions of V8 write a few that cannot; DevTools lists them, with no way to them.",
    .anchor = "v8/heapsnapshot.md#graph", .since = "0.1"};
inline constexpr Rule scopes_counts{
    .id = "v8snap.scopes.counts", .severity = Severity::error, .stage = Stage::check,
    .title = "the counts of all scopes together are the rows of `scope_context_vars` and `scope_uses`",
    .reason = "Rows belong to scopes by these counts alone: behind a wrong one, scopes have variables of others.",
    .anchor = "v8/heapsnapshot.md#scopes", .since = "0.1"};
inline constexpr Rule scopes_node{
    .id = "v8snap.scopes.node", .severity = Severity::error, .stage = Stage::check,
    .title = "a scope belongs to the node of a script",
    .reason = "DevTools shows its variables at another node, or at none.",
    .anchor = "v8/heapsnapshot.md#scopes", .since = "0.1"};
inline constexpr Rule section_length{
    .id = "v8snap.section.length", .severity = Severity::error, .stage = Stage::check,
    .title = "an array of numbers holds whole rows of the columns that `meta` names",
    .reason = "A number was lost or added, so all that follow stand in wrong columns.",
    .anchor = "v8/heapsnapshot.md#sections", .since = "0.1"};
inline constexpr Rule strings_first{
    .id = "v8snap.strings.first", .severity = Severity::note, .stage = Stage::check,
    .title = "the first string is `<dummy>`, as V8 writes it",
    .reason = "Other engines have another; V8 keeps index 0 free, so that a name of 0 shows as a mistake.",
    .anchor = "v8/heapsnapshot.md#strings", .since = "0.1"};
inline constexpr Rule strings_index{
    .id = "v8snap.strings.index", .severity = Severity::error, .stage = Stage::check,
    .title = "names lead to strings",
    .reason = "DevTools fails when it needs the name; others show `undefined`.",
    .anchor = "v8/heapsnapshot.md#strings", .since = "0.1"};
inline constexpr Rule strings_repeated{
    .id = "v8snap.strings.repeated", .severity = Severity::note, .stage = Stage::check,
    .title = "strings are distinct",
    .reason = "V8 writes each once; readers that compare indices instead of texts take equal names for different ones.",
    .anchor = "v8/heapsnapshot.md#strings", .since = "0.1"};
inline constexpr std::array all{&edges_count, &edges_per_node, &edges_to_node_alignment, &edges_to_node_range, &edges_type, &locations_node, &locations_repeated, &nodes_count, &nodes_id, &nodes_none, &nodes_root, &nodes_trace_node, &nodes_type, &nodes_unreachable, &scopes_counts, &scopes_node, &section_length, &strings_first, &strings_index, &strings_repeated};
// clang-format on

}  // namespace heapcheck::validation::v8::heapsnapshot::rules
