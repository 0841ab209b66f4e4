// The graph of a MoarVM snapshot, whatever the version of its dump. Borrows nothing.
#pragma once

#include "formats/mvmheap/model.hpp"
#include "heapcheck/graph.hpp"
#include "heapcheck/limits.hpp"
#include "heapcheck/result.hpp"

namespace heapcheck::graph {

/// Kinds of nodes are those of collectables; a node is called as its type or static frame, or by its category
/// where it is a root, and its size includes unmanaged bytes. Its id is its index: the format has none. An
/// edge is called as its reference is described. `tables` have at least the rows that the snapshot knows.
/// Errors: unreadable, where a column is missing, an index is outside its table, or references do not belong
/// to one collectable each; limit.
[[nodiscard]] Result<Graph> make_graph(const mvmheap::Snapshot& snapshot, const mvmheap::Tables& tables,
                                       const Limits& limits);

}  // namespace heapcheck::graph
