// Which edges of a graph retain their targets, and the sizes that its nodes count with. The rules for V8 heap
// snapshots are those of Chrome DevTools (HeapSnapshot.ts: computeIsEssentialEdge, markPageOwnedNodes and
// calculateShallowSizes), so that our figures are the ones that it shows.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "graph/node_set.hpp"
#include "heapcheck/types/graph.hpp"

namespace heapcheck::graph {

/// An entry of a WeakMap: V8 writes two edges to the value, one from the key and one from the table.
struct Ephemeron {
  std::string_view entry;  ///< the part of the name that both edges have in common
  std::uint64_t table;     ///< the id of the table
};

/// Parses a name such as `2 / part of key (Object @5) -> value (Object @7) pair in WeakMap (table @9)`.
[[nodiscard]] std::optional<Ephemeron> parse_ephemeron(std::string_view name);

/// Which of the graph's texts are such names: a set of indices.
[[nodiscard]] NodeSet find_ephemeron_names(const Graph& graph);

/// Whether DevTools' rules apply: only V8 heap snapshots have edges of a kind `shortcut`.
[[nodiscard]] bool has_devtools_rules(const Graph& graph);

/// Whether a node is one of the page's or program's own, which DevTools measures distances from: everything
/// but V8's synthetic nodes, of which only `(Document DOM trees)` counts.
[[nodiscard]] bool is_user_root(const Graph& graph, std::uint32_t node);

/// Whether a node is what the program itself holds: a user root, but not MoarVM's inter-generational roots,
/// which its collector remembers for itself.
[[nodiscard]] bool is_program_root(const Graph& graph, std::uint32_t node);

/// The edges that retain their targets: without DevTools' rules, all that are not weak.
/// spec: analysis.md#what-retains
[[nodiscard]] EdgeSet find_retaining_edges(const Graph& graph);

/// The size in bytes of each node. With DevTools' rules, an array or hidden node that only one other node
/// owns counts as part of its owner. spec: analysis.md#self-size
[[nodiscard]] std::vector<std::uint64_t> find_counted_sizes(const Graph& graph);

}  // namespace heapcheck::graph
