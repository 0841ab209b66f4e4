// Finds nodes and edges in one array: if the end of `nodes` and the beginning of `edges` were lost, the edges
// that are left follow the nodes in `nodes`. Borrows the snapshot. spec: v8/heapsnapshot.md#recovery
#pragma once

#include <optional>

#include "recover/v8/heapsnapshot/graph_rows.hpp"

namespace heapcheck::recovery::v8::heapsnapshot {

/// The `node_count` nodes, counted from the start of the array, and the edges, counted from its end; without
/// those next to the damage. Empty if there is a section `edges`, if the header does not state their number,
/// or if the last values of `nodes` are not edges. Takes time linear in the size of the section.
[[nodiscard]] std::optional<GraphRows> find_joined_rows(const Snapshot& snapshot, const GraphColumns& columns,
                                                        std::uint64_t node_count);

}  // namespace heapcheck::recovery::v8::heapsnapshot
