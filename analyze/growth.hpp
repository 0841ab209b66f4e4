// Which nodes of a heap are new since an earlier snapshot of it. spec: analysis.md#growth
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

/// Whether equal ids in the two graphs name the same objects: the files have ids, and almost all that have an
/// id in both are of the same kind and have the same name, as in two snapshots of one process.
[[nodiscard]] bool share_ids(const Graph& first, const Graph& last);

/// For each node of `last`, its counted size in bytes if its id is not in `first` but in all of `between`,
/// else 0: what was allocated since then, and is still alive.
[[nodiscard]] std::vector<std::uint64_t> find_new_sizes(const Graph& first,
                                                        std::span<const Graph* const> between,
                                                        const Moment& last);

/// For each node of `last`, the bytes of it that are new on average: nodes of the same kind, type and
/// representation whose two nearest dominators are of the same types count as equal. Their sizes were added
/// up in both snapshots.
[[nodiscard]] std::vector<std::uint64_t> estimate_new_sizes(const Moment& first, const Moment& last);

}  // namespace heapcheck::analyze
