// The internal edge `map`, with which V8 connects an object to the description of its layout. A node whose
// type needs that edge but does not have it, or has two, has the edges of another node.
// spec: v8/heapsnapshot.md#consistency
#pragma once

#include <optional>

#include "validate/v8/heapsnapshot/cases.hpp"

namespace heapcheck::validation::v8::heapsnapshot::consistency {

/// The nodes whose number of `map` edges is wrong.
struct MapMismatch {
  std::uint64_t row = 0;    ///< the first such node
  std::uint64_t edge = 0;   ///< its first edge
  std::uint64_t found = 0;  ///< its number of `map` edges
  std::uint64_t nodes = 0;  ///< number of such nodes
};

/// Empty if there are none, or if the writer does not write the edge. Nodes, edges and strings must be sound;
/// the counts need not agree. Takes time linear in the number of nodes and edges.
[[nodiscard]] std::optional<MapMismatch> find_map_mismatch(const Snapshot& snapshot);

}  // namespace heapcheck::validation::v8::heapsnapshot::consistency
