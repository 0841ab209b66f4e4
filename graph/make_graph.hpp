// Makes graphs from the models of the formats. Each function copies the parts of the model that it needs.
#pragma once

#include "formats/mvmheap/model.hpp"
#include "formats/v8/heapprofile/model.hpp"
#include "formats/v8/heapsnapshot/model.hpp"
#include "heapcheck/types/graph.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::graph {

/// Makes the graph of a MoarVM snapshot from a dump of any version. The kinds of nodes are the kinds of
/// collectables. A node is named after its type or static frame, or after its category if it is a root; its
/// size includes unmanaged bytes. Its id is its index, because the format has no ids. An edge is named after
/// the description of its reference. `tables` must have at least the rows to which the snapshot refers.
/// Errors: unreadable if a column is missing, an index is outside its table, or a reference does not belong
/// to exactly one collectable; limit.
[[nodiscard]] Result<Graph> make_graph(const mvmheap::Snapshot& snapshot, const mvmheap::Tables& tables,
                                       const Limits& limits);
/// Does the same, and frees each part of the snapshot once it has been copied.
[[nodiscard]] Result<Graph> make_graph(mvmheap::Snapshot&& snapshot, const mvmheap::Tables& tables,
                                       const Limits& limits);

/// Makes the graph of a V8 heap snapshot. Kinds are the types that the file's schema names. `weak` edges are
/// weak, and `element` and `hidden` edges have an index instead of a name. Sizes are self sizes. If there is
/// no `id` column, ids are indices. Errors: unreadable if a section, column or type is missing, if edge
/// counts are wrong, or if an index is outside its table; limit.
[[nodiscard]] Result<Graph> make_graph(const v8::heapsnapshot::Snapshot& snapshot, const Limits& limits);
/// Does the same, and frees each part of the snapshot once it has been copied.
[[nodiscard]] Result<Graph> make_graph(v8::heapsnapshot::Snapshot&& snapshot, const Limits& limits);

/// Makes the graph of a V8 sampling heap profile, which is its tree of calls. Nodes are call frames, named
/// after their functions, with their self sizes. Edges are `call` edges that lead from callers to callees and
/// have no names. If a node has no id in the file, its id is its index. Errors: unreadable if the nodes are
/// not a tree with parents before children; limit.
[[nodiscard]] Result<Graph> make_graph(const v8::heapprofile::Profile& profile, const Limits& limits);

}  // namespace heapcheck::graph
