// What the nodes of V8's heap snapshots are, by their kinds and names. No node of another format is one of
// these.
#pragma once

#include "heapcheck/types/graph.hpp"

namespace heapcheck::graph {

/// Whether a node is a function.
[[nodiscard]] inline bool is_closure(const Node& node) { return node.kind().name == "closure"; }

/// Whether a node holds the variables of a function, block, module or script.
[[nodiscard]] inline bool is_context(const Node& node) { return node.name().starts_with("system / Context"); }

}  // namespace heapcheck::graph
