// The graph of a V8 heap snapshot. Borrows nothing.
#pragma once

#include "formats/v8/heapsnapshot/model.hpp"
#include "heapcheck/types/graph.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::graph {

/// Kinds are the types that the file's schema names. Edges of the type `weak` are weak, and edges of the
/// types `element` and `hidden` have an index instead of a name. Sizes are self sizes; if there is no column
/// `id`, ids are indices. Errors: unreadable if a section, column or type is missing, if edge counts are
/// wrong, or if an index is outside its table; limit.
[[nodiscard]] Result<Graph> make_graph(const v8::heapsnapshot::Snapshot& snapshot, const Limits& limits);

}  // namespace heapcheck::graph
