// The rules for the content of a heap snapshot.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "heapcheck/types/finding.hpp"
#include "validate/v8/heapsnapshot/cases.hpp"

namespace heapcheck::validation::v8::heapsnapshot::rules {

// One line per member, however long.
// clang-format off
inline constexpr Rule edges_count{
    .id = "v8snap.edges.count", .severity = Severity::error, .stage = Stage::check,
    .title = "the header's `edge_count` is the number of edges",
    .reason = "DevTools sizes its array according to this count, so it drops edges, or adds edges that consist of zeros.",
    .example = "\"edge_count\":5 in a file with 4 edges",
    .advice = "Run heapcheck recover, which corrects the count; edges that are not in the file stay lost. If you write such files, count the edges that you write.",
    .anchor = "v8/heapsnapshot.md#edges", .since = "0.1"};
inline constexpr Rule edges_per_node{
    .id = "v8snap.edges.per-node", .severity = Severity::error, .stage = Stage::check,
    .title = "the `edge_count` values of all nodes add up to the number of edges",
    .reason = "Only these counts determine which node an edge belongs to: after a wrong count, every reader assigns edges to the wrong nodes.",
    .example = "nodes with 5 edges in total in a file with 4 edges",
    .advice = "Run heapcheck recover to make the counts match the edges, but do not rely on which node has which edge. If you write such files, count the edges of each node as you write them.",
    .anchor = "v8/heapsnapshot.md#edges", .since = "0.1"};
inline constexpr Rule edges_to_node_alignment{
    .id = "v8snap.edges.to-node-alignment", .severity = Severity::error, .stage = Stage::check,
    .title = "`to_node` is the position of a node's first number, a multiple of the number of columns",
    .reason = "DevTools stops with `Invalid toNodeIndex`; other readers mix up the numbers of two nodes.",
    .example = "a `to_node` of 15 where nodes have 7 columns",
    .advice = "Run heapcheck recover, which drops such edges. If you write such files, multiply the index of the node by the number of columns in `node_fields`.",
    .anchor = "v8/heapsnapshot.md#edges", .since = "0.1"};
inline constexpr Rule edges_to_node_range{
    .id = "v8snap.edges.to-node-range", .severity = Severity::error, .stage = Stage::check,
    .title = "`to_node` leads to a node",
    .reason = "Readers read past the end of the array, and fail or find nothing.",
    .example = "a `to_node` of 28 in a file with 4 nodes and 7 columns per node",
    .advice = "Run heapcheck recover, which drops such edges. If you write such files, write all nodes that edges lead to.",
    .anchor = "v8/heapsnapshot.md#edges", .since = "0.1"};
inline constexpr Rule edges_type{
    .id = "v8snap.edges.type", .severity = Severity::error, .stage = Stage::check,
    .title = "the type of an edge is one that `meta` names",
    .reason = "Readers cannot show the type, and do not know whether the edge has a name or an index.",
    .example = "an edge of type 7 where `edge_types` names 7 types, 0 to 6",
    .advice = "Run heapcheck recover, which drops such edges. If you write such files, add the type to `edge_types`.",
    .anchor = "v8/heapsnapshot.md#edges", .since = "0.1"};
inline constexpr Rule header_zero_counts{
    .id = "v8snap.header.zero-counts", .severity = Severity::note, .stage = Stage::check,
    .title = "`node_count` and `edge_count` are not 0 if there are nodes",
    .reason = "Hermes writes the header before it has counted anything; DevTools sizes its arrays by these counts, and fails with `BFS failed`.",
    .example = "\"node_count\":0 and \"edge_count\":0 in a file from Hermes with 4 nodes",
    .advice = "Run heapcheck recover if DevTools needs to load the file: it corrects the counts.",
    .anchor = "v8/heapsnapshot.md#header", .since = "0.1"};
inline constexpr Rule locations_node{
    .id = "v8snap.locations.node", .severity = Severity::error, .stage = Stage::check,
    .title = "a location belongs to a node",
    .reason = "Readers assign the location to the wrong node or to none.",
    .example = "an `object_index` of 15 where nodes have 7 columns",
    .advice = "Run heapcheck recover, which drops such locations. If you write such files, multiply the index of the node by the number of columns in `node_fields`.",
    .anchor = "v8/heapsnapshot.md#locations", .since = "0.1"};
inline constexpr Rule locations_repeated{
    .id = "v8snap.locations.repeated", .severity = Severity::warning, .stage = Stage::check,
    .title = "a node has at most one location",
    .reason = "Readers keep only the last location of a node.",
    .example = "two locations with an `object_index` of 14",
    .advice = "Run heapcheck recover, which keeps the last location, as readers do. If you write such files, write one location for each function.",
    .anchor = "v8/heapsnapshot.md#locations", .since = "0.1"};
inline constexpr Rule nodes_count{
    .id = "v8snap.nodes.count", .severity = Severity::error, .stage = Stage::check,
    .title = "the header's `node_count` is the number of nodes",
    .reason = "DevTools sizes its array according to this count, so it drops nodes, or adds nodes that consist of zeros.",
    .example = "\"node_count\":5 in a file with 4 nodes",
    .advice = "Run heapcheck recover, which corrects the count; nodes that are not in the file stay lost. If you write such files, count the nodes that you write.",
    .anchor = "v8/heapsnapshot.md#nodes", .since = "0.1"};
inline constexpr Rule nodes_id{
    .id = "v8snap.nodes.id", .severity = Severity::warning, .stage = Stage::check,
    .title = "node ids are unique",
    .reason = "Readers compare snapshots by id, and treat both nodes as the same object.",
    .example = "two nodes with id 5",
    .advice = "Run heapcheck recover, which gives the later node an unused id. If you write such files, give every object its own id and keep it in every snapshot.",
    .anchor = "v8/heapsnapshot.md#nodes", .since = "0.1"};
inline constexpr Rule nodes_none{
    .id = "v8snap.nodes.none", .severity = Severity::error, .stage = Stage::check,
    .title = "there is at least one node, the root",
    .reason = "Readers start at the root, and fail.",
    .example = "\"nodes\":[]",
    .advice = "Take the snapshot again: nothing can be recovered without nodes. If you write such files, write the root even if it has no edges.",
    .anchor = "v8/heapsnapshot.md#nodes", .since = "0.1"};
inline constexpr Rule nodes_root{
    .id = "v8snap.nodes.root", .severity = Severity::note, .stage = Stage::check,
    .title = "the first node is V8's root: synthetic, without a name, with id 1 and size 0",
    .reason = "All readers treat the first node as the root; other engines write a different one.",
    .example = "a first node of type `hidden` with id 0",
    .advice = "If V8 wrote the file, check whether nodes are missing at its start. A different root from another engine is not a problem.",
    .anchor = "v8/heapsnapshot.md#nodes", .since = "0.1"};
inline constexpr Rule nodes_root_edges{
    .id = "v8snap.nodes.root-edges", .severity = Severity::warning, .stage = Stage::check,
    .title = "the root has at most as many edges as there are nodes",
    .reason = "Several edges of the root lead to the same node, which DevTools visits once for each of them: it fails with `BFS failed`.",
    .example = "a root with 3 edges in a file with 2 nodes",
    .advice = "Take the snapshot again: no known program writes such a root, so the counts or the edges are damaged.",
    .anchor = "v8/heapsnapshot.md#nodes", .since = "0.1"};
inline constexpr Rule nodes_short_id{
    .id = "v8snap.nodes.short-id", .severity = Severity::note, .stage = Stage::check,
    .title = "node ids have enough bits to be unique",
    .reason = "Bun 1.2.23 and 1.3.0 give nodes random 24-bit ids, some of which coincide; readers that compare snapshots by id treat both nodes as the same object.",
    .example = "two nodes with id 2083569 in a file from Bun 1.3.0",
    .advice = "There is nothing to repair. Later versions of Bun write unique ids.",
    .anchor = "v8/heapsnapshot.md#nodes", .since = "0.1"};
inline constexpr Rule nodes_trace_node{
    .id = "v8snap.nodes.trace-node", .severity = Severity::warning, .stage = Stage::check,
    .title = "the `trace_node_id` of a node is 0 or an id of the trace tree",
    .reason = "It is unknown where the object was allocated; DevTools shows no stack for it, or fails.",
    .example = "a `trace_node_id` of 7 where the trace tree has ids 1 and 2",
    .advice = "Run heapcheck recover, which sets such values to 0. If you write such files, write 0 for an object whose stack is unknown.",
    .anchor = "v8/heapsnapshot.md#trace-tree", .since = "0.1"};
inline constexpr Rule nodes_type{
    .id = "v8snap.nodes.type", .severity = Severity::error, .stage = Stage::check,
    .title = "the type of a node is one that `meta` names",
    .reason = "Readers find no name for the type; some show `undefined`, others fail.",
    .example = "a node of type 99 where `node_types` names 15 types",
    .advice = "Run heapcheck recover, which changes such types to the first one, V8's `hidden`. If you write such files, add the type to `node_types`.",
    .anchor = "v8/heapsnapshot.md#nodes", .since = "0.1"};
inline constexpr Rule nodes_unnamed_symbol{
    .id = "v8snap.nodes.unnamed-symbol", .severity = Severity::note, .stage = Stage::check,
    .title = "`meta` has a name for the symbol type",
    .reason = "V8 5.1 to 6.2 (Node.js 6.9 to 9) gives symbols type 12 but names only types 0 to 11; DevTools shows `(undefined)`.",
    .example = "a node of type 12 with the name `symbol` where `node_types` names 12 types, 0 to 11",
    .advice = "There is nothing to repair. If a reader needs the name, heapcheck recover adds it.",
    .anchor = "v8/heapsnapshot.md#nodes", .since = "0.1"};
inline constexpr Rule nodes_unreachable{
    .id = "v8snap.nodes.unreachable", .severity = Severity::note, .stage = Stage::check,
    .title = "all nodes can be reached from the root",
    .reason = "V8 12 and later write a few nodes that cannot be reached; DevTools lists them without a path from the root.",
    .example = "a node that is not the `to_node` of any edge",
    .advice = "There is nothing to repair if there are only a few such nodes. If there are many, edges may have been lost when the snapshot was written or copied.",
    .anchor = "v8/heapsnapshot.md#graph", .since = "0.1"};
inline constexpr Rule scopes_counts{
    .id = "v8snap.scopes.counts", .severity = Severity::error, .stage = Stage::check,
    .title = "the counts of all scopes add up to the number of rows in `scope_context_vars` and in `scope_uses`",
    .reason = "Only these counts determine which scope a row belongs to: after a wrong count, readers assign variables to the wrong scopes.",
    .example = "a `scope_uses_count` of 2 for the only scope of a file with 1 row in `scope_uses`",
    .advice = "Run heapcheck recover to make the counts match the rows, but do not rely on which scope has which variable.",
    .anchor = "v8/heapsnapshot.md#scopes", .since = "0.1"};
inline constexpr Rule scopes_node{
    .id = "v8snap.scopes.node", .severity = Severity::error, .stage = Stage::check,
    .title = "a scope belongs to the node of a script",
    .reason = "DevTools shows the variables of the scope at the wrong node or at none.",
    .example = "a `script_node_index` of 22 where nodes have 7 columns",
    .advice = "Run heapcheck recover, which drops such scopes. If you write such files, multiply the index of the node by the number of columns in `node_fields`.",
    .anchor = "v8/heapsnapshot.md#scopes", .since = "0.1"};
inline constexpr Rule section_length{
    .id = "v8snap.section.length", .severity = Severity::error, .stage = Stage::check,
    .title = "an array of numbers consists of complete rows, with the columns that `meta` names",
    .reason = "A number was lost or added, so the numbers after it are in the wrong columns.",
    .example = "27 numbers in `nodes` where a node has 7 columns",
    .advice = "Run heapcheck recover to keep the nodes and edges before the first row with an impossible value. If you write such files, write a number for every column of every row.",
    .anchor = "v8/heapsnapshot.md#sections", .since = "0.1"};
inline constexpr Rule section_signed{
    .id = "v8snap.section.signed", .severity = Severity::note, .stage = Stage::check,
    .title = "lines, columns and indices of elements are written without a sign",
    .reason = "V8 13.6 and later versions subtract 2^32 from these numbers if they are 2^31 or more; most readers do not undo this.",
    .example = "a location with a `line` of -1, which stands for 4294967295",
    .advice = "There is nothing to repair. If you read such files, add 2^32 to these numbers if they are negative.",
    .anchor = "v8/heapsnapshot.md#sections", .since = "0.1"};
inline constexpr Rule strings_first{
    .id = "v8snap.strings.first", .severity = Severity::note, .stage = Stage::check,
    .title = "the first string is `<dummy>`, as in V8's files",
    .reason = "V8 reserves index 0 so that a name of 0 can be recognised as a mistake; other engines write a different first string.",
    .example = "\"strings\":[\"\",\"(GC roots)\",...]",
    .advice = "If V8 wrote the file, strings may be missing at the start, and names may be wrong. A different first string from another engine is not a problem.",
    .anchor = "v8/heapsnapshot.md#strings", .since = "0.1"};
inline constexpr Rule strings_index{
    .id = "v8snap.strings.index", .severity = Severity::error, .stage = Stage::check,
    .title = "every name is the index of a string",
    .reason = "DevTools fails when it needs the name; other readers show `undefined`.",
    .example = "a node whose `name` is 900 in a file with 7 strings",
    .advice = "Run heapcheck recover, which adds a placeholder such as `(lost 900)` for each missing string. If you write such files, write `strings` last, with all names that the other sections use.",
    .anchor = "v8/heapsnapshot.md#strings", .since = "0.1"};
inline constexpr Rule strings_repeated{
    .id = "v8snap.strings.repeated", .severity = Severity::note, .stage = Stage::check,
    .title = "strings are distinct",
    .reason = "V8 writes each string once; readers that compare indices instead of strings mistake equal names for different ones.",
    .example = "\"strings\":[\"<dummy>\",\"a\",\"a\"]",
    .advice = "If you read such files, compare the strings, not their indices. If you write them, write each string once.",
    .anchor = "v8/heapsnapshot.md#strings", .since = "0.1"};
inline constexpr std::array all{&edges_count, &edges_per_node, &edges_to_node_alignment, &edges_to_node_range, &edges_type, &header_zero_counts, &locations_node, &locations_repeated, &nodes_count, &nodes_id, &nodes_none, &nodes_root, &nodes_root_edges, &nodes_short_id, &nodes_trace_node, &nodes_type, &nodes_unnamed_symbol, &nodes_unreachable, &scopes_counts, &scopes_node, &section_length, &section_signed, &strings_first, &strings_index, &strings_repeated};
// clang-format on

}  // namespace heapcheck::validation::v8::heapsnapshot::rules

namespace heapcheck::validation::v8::heapsnapshot {

// Checks the counts: compares the lengths of arrays with their numbers of columns, the header with the
// arrays, and nodes with edges.

/// The parts of the graph that are complete, according to the counts.
struct GraphSoundness {
  bool nodes = false;  ///< whether no node is missing
  bool edges = false;  ///< whether no edge is missing
  bool graph = false;  ///< whether both are true and each edge belongs to the right node
};

/// Whether nodes were lost or added, as the count in the header and the edges or ids show. If not, a wrong
/// count says nothing about the nodes that are there.
[[nodiscard]] bool has_other_nodes(const Snapshot& snapshot);

void check_lengths(const Snapshot& snapshot, core::FindingSink& sink);
/// Returns which parts of the graph can be checked further, and records the checks that are skipped.
[[nodiscard]] GraphSoundness check_graph_counts(const Snapshot& snapshot, core::FindingSink& sink);
void check_trace_function_count(const Snapshot& snapshot, core::FindingSink& sink);

// Checks the nodes of a heap snapshot, except for their number and their reachability.

void check_nodes(const Snapshot& snapshot, core::FindingSink& sink);

// Checks the edges of a heap snapshot and everything else that refers to nodes.

void check_edges(const Snapshot& snapshot, core::FindingSink& sink);
/// Checks `to_node`. All nodes must have been read.
void check_targets_of_edges(const Snapshot& snapshot, core::FindingSink& sink);
/// Checks all other positions of nodes. All nodes must have been read.
void check_other_places(const Snapshot& snapshot, core::FindingSink& sink);
void check_repeated_locations(const Snapshot& snapshot, core::FindingSink& sink);

// Checks the strings of a heap snapshot and everything that refers to them.

/// Checks every value that is a string index. All strings must have been read without errors.
void check_string_indices(const Snapshot& snapshot, core::FindingSink& sink);
void check_strings(const Snapshot& snapshot, core::FindingSink& sink);

// The rule that only certain numbers in a heap snapshot may be negative. Borrows the snapshot.

/// The negative numbers in a section.
struct NegativeNumbers {
  std::uint64_t count = 0;
  std::uint64_t row = 0;   ///< the row of the first one
  std::size_t column = 0;  ///< its column
  std::int64_t value = 0;  ///< the value as in the file
};

/// The negative numbers in a section, if the section can be checked; empty if there are none.
[[nodiscard]] std::optional<NegativeNumbers> find_negative(const Snapshot& snapshot, Section section);
/// The place of the first negative number.
[[nodiscard]] Location locate_first(const Snapshot& snapshot, Section section,
                                    const NegativeNumbers& numbers);

/// The sections in which V8 writes negative numbers for values of 2^31 and above.
inline constexpr std::array signed_sections{Section::edges, Section::trace_function_infos,
                                            Section::locations};

/// Reports the negative numbers in `sections` as a note for each section.
void check_signed(const Snapshot& snapshot, std::span<const Section> sections, core::FindingSink& sink);

// Checks which nodes of a heap snapshot can be reached from the root.

/// Reports one finding for all nodes that cannot be reached. The graph must be sound, except that edges may
/// lead to wrong places: in this case, returns false and reports nothing. Takes time linear in the number of
/// nodes and edges.
bool check_reachability(const Snapshot& snapshot, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot
