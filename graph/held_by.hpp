// Finds the nodes of a V8 heap snapshot that are in memory only because of something else, by the rules of
// Chrome DevTools (HeapSnapshot.ts: createNamedFilter).
#pragma once

#include <cstdint>

#include "graph/node_set.hpp"
#include "heapcheck/types/graph.hpp"

namespace heapcheck::graph {

/// What holds nodes, as in the menu of DevTools.
enum class HeldBy : std::uint8_t {
  detached_dom,    ///< detached nodes
  console,         ///< the console of DevTools
  event_handlers,  ///< functions that handle events
  contexts,        ///< the variables of functions
};

/// The nodes that can be reached from the root only through one of these. spec: analysis.md#held-by
[[nodiscard]] NodeSet find_held(const Graph& graph, HeldBy holder);

}  // namespace heapcheck::graph
