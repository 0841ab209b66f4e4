// Finds the nodes of a heap that are new since an earlier snapshot. spec: analysis.md#growth
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyze/dominators.hpp"
#include "heapcheck/types/graph.hpp"

namespace heapcheck::analyze {

/// A snapshot of a heap.
struct Moment {
  const Graph& graph;
  const Retention& retention;
};

/// Whether equal ids in the two graphs identify the same objects, as in two snapshots of one process. This is
/// the case if the files have ids and almost all nodes whose ids occur in both have the same kind and name.
[[nodiscard]] bool share_ids(const Graph& first, const Graph& last);

/// For each node of `last`, the memory that was allocated since `first` and is still alive: its counted size
/// in bytes if its id is not in `first` but is in all of `between`, and otherwise 0.
[[nodiscard]] std::vector<std::uint64_t> find_new_sizes(const Graph& first,
                                                        std::span<const Graph* const> between,
                                                        const Moment& last);

/// For each node of `last`, how many of its bytes are new on average. Nodes of the same kind, type and
/// representation whose two nearest dominators have the same types count as equal. Their sizes are added up
/// in both snapshots.
[[nodiscard]] std::vector<std::uint64_t> estimate_new_sizes(const Moment& first, const Moment& last);

}  // namespace heapcheck::analyze
