// Ids for the nodes of a MoarVM dump, which has none. Tools compare snapshots by ids.
#pragma once

#include <cstdint>
#include <vector>

#include "heapcheck/types/graph.hpp"

namespace heapcheck::exports::heapsnapshot {

/// One id for each node: odd, below 2^32, and different from all others. It depends on the kind and the name
/// of the node, and on how many such nodes are before it, so that it is the same in other snapshots; apart
/// from a few nodes whose ids would be those of others (about one in 4,000 with 1,000,000 nodes). Takes 20
/// bytes for each node, of which 4 remain, and 36 if hashes collide often.
[[nodiscard]] std::vector<std::uint32_t> make_stable_ids(const Graph& graph);

}  // namespace heapcheck::exports::heapsnapshot
