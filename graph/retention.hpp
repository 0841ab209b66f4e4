// Determines which edges of a graph retain their targets, and the sizes assigned to its nodes. The rules for
// V8 heap snapshots are the same as in Chrome DevTools (HeapSnapshot.ts: computeIsEssentialEdge,
// markPageOwnedNodes and calculateShallowSizes), so that our figures match those in DevTools.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "graph/node_set.hpp"
#include "heapcheck/types/graph.hpp"

namespace heapcheck::graph {

/// An entry of a WeakMap. V8 writes two edges to the value, one from the key and one from the table.
struct Ephemeron {
  std::string_view entry;  ///< the part of the name that both edges have in common
  std::uint64_t table;     ///< the id of the table
};

/// Parses a name such as `2 / part of key (Object @5) -> value (Object @7) pair in WeakMap (table @9)`.
[[nodiscard]] std::optional<Ephemeron> parse_ephemeron(std::string_view name);

/// The indices in Graph::texts of the strings that are such names.
[[nodiscard]] NodeSet find_ephemeron_names(const Graph& graph);

/// Whether a node is one of the page's or program's own, from which DevTools measures distances. This is true
/// of all nodes except V8's synthetic nodes, of which only `(Document DOM trees)` counts.
[[nodiscard]] bool is_user_root(const Graph& graph, std::uint32_t node);

/// Whether a node is a root that the program itself holds. This is true of all user roots except MoarVM's
/// inter-generational roots, which the collector records for its own use.
[[nodiscard]] bool is_program_root(const Graph& graph, std::uint32_t node);

/// The edges that retain their targets. Without DevTools' rules, these are all edges that are not weak. spec:
/// analysis.md#what-retains
[[nodiscard]] EdgeSet find_retaining_edges(const Graph& graph);

/// The size in bytes of each node. With DevTools' rules, an array or hidden node with only one owner counts
/// as part of that owner. spec: analysis.md#self-size
[[nodiscard]] GraphColumn find_counted_sizes(const Graph& graph);

}  // namespace heapcheck::graph
