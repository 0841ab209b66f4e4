// The graph of a V8 sampling heap profile: its tree of calls. Borrows nothing.
#pragma once

#include "formats/v8/heapprofile/model.hpp"
#include "heapcheck/types/graph.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::graph {

/// Nodes are call frames, named after their functions, with their self sizes. Edges are of the kind `call`,
/// lead from callers to callees, and have no names. If a node has no id in the file, its id is its index.
/// Errors: unreadable if the nodes are not a tree with parents before children; limit.
[[nodiscard]] Result<Graph> make_graph(const v8::heapprofile::Profile& profile, const Limits& limits);

}  // namespace heapcheck::graph
