// The graph of a MoarVM snapshot, whatever the version of its dump. Borrows nothing.
#pragma once

#include "formats/mvmheap/model.hpp"
#include "heapcheck/types/graph.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::graph {

/// Kinds of nodes are those of collectables. A node is named after its type or static frame, or after its
/// category if it is a root; its size includes unmanaged bytes. Its id is its index, because the format has
/// no ids. An edge is named by the description of its reference. `tables` must have at least the rows to
/// which the snapshot refers. Errors: unreadable if a column is missing, an index is outside its table, or a
/// reference does not belong to exactly one collectable; limit.
[[nodiscard]] Result<Graph> make_graph(const mvmheap::Snapshot& snapshot, const mvmheap::Tables& tables,
                                       const Limits& limits);

}  // namespace heapcheck::graph
