// Finds which nodes of a V8 heap snapshot are detached from the page, by the rules of Chrome DevTools
// (HeapSnapshot.ts: propagateDOMState). Works on the columns of a graph.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "graph/node_set.hpp"
#include "heapcheck/types/graph.hpp"

namespace heapcheck::graph {

/// The prefix of the names of detached nodes.
inline constexpr std::string_view detached_prefix = "Detached ";

/// The state of each node, derived from the states that the file gives for some of them. Native nodes without
/// a state take over that of the native nodes that lead to them; attached takes precedence. spec:
/// analysis.md#detached-nodes
[[nodiscard]] std::vector<DomState> spread_dom_states(const Graph& graph, std::vector<DomState> stated);

/// Whether the names of native nodes show that some are detached, as in files without a column for this.
[[nodiscard]] bool has_named_states(const Graph& graph);

/// The state of each node of such a file.
[[nodiscard]] std::vector<DomState> find_named_states(const Graph& graph);

/// The indices in Graph::texts of the names of detached native nodes.
[[nodiscard]] NodeSet find_detached_names(const Graph& graph);

/// Puts the prefix before the names of detached native nodes, even if a name has it already, as DevTools
/// does. `names` are those that find_detached_names() found.
void rename_detached(const NodeSet& names, Graph& graph);

/// The name of a node without the prefix that only its state adds, so that a node can be recognised after
/// its state has changed.
[[nodiscard]] std::string_view stateless_name(const Node& node);

}  // namespace heapcheck::graph
