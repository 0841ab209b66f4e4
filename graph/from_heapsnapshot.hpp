// The graph of a heap snapshot of V8. Borrows nothing.
#pragma once

#include "formats/v8/heapsnapshot/model.hpp"
#include "heapcheck/graph.hpp"
#include "heapcheck/limits.hpp"
#include "heapcheck/result.hpp"

namespace heapcheck::graph {

/// Kinds are the types that the file's schema names; edges of the type `weak` are weak, and those of the
/// types `element` and `hidden` have an index instead of a name. Sizes are self sizes; without a column `id`,
/// ids are indices. Errors: unreadable, where a section, column or type is missing, edges are not counted
/// right, or an index is outside its table; limit.
[[nodiscard]] Result<Graph> make_graph(const v8::heapsnapshot::Snapshot& snapshot, const Limits& limits);

}  // namespace heapcheck::graph
