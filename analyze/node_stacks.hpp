// Finds the calls that allocated the nodes of a timeline: the profile of the nodes that are still alive,
// the stack of a node, and the stack that allocated most of a part of the heap. Reads the stacks of the
// graph. The results are values that own their memory.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analyze/heap.hpp"
#include "analyze/stacks.hpp"
#include "heapcheck/types/graph.hpp"
#include "heapcheck/types/profile.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::analyze {

/// The memory that each call allocated and that is still in use. Nodes without a stack are left out. Sizes
/// are self sizes as in DevTools. spec: analysis.md#self-size. Errors: unsupported if the graph has no
/// stacks.
[[nodiscard]] Result<AllocationProfile> make_live_profile(const Graph& graph);

/// The calls that allocated a node, innermost first: places in Graph::stacks. Empty if they are unknown.
[[nodiscard]] std::vector<std::uint32_t> find_node_stack(const Graph& graph, std::uint32_t node);

/// A stack, and the nodes of a part of the heap that it allocated.
struct AllocatingStack {
  std::vector<std::uint32_t> places = {};  ///< in Graph::stacks, innermost first
  Amount allocated = {};                   ///< the nodes of the part that it allocated
  std::uint64_t size = 0;                  ///< the size of all nodes of the part, in bytes
};

/// The stack that allocated most of the memory that would be freed along with `nodes`. `sizes` contains the
/// number of bytes that count for each node of the graph, such as Heap::counted_sizes() or Growth::new_sizes.
/// Empty if no stack is known. Takes time linear in the number of nodes that they dominate, and uses one bit
/// for each node of the graph.
[[nodiscard]] std::optional<AllocatingStack> find_allocating_stack(const Heap& heap,
                                                                   std::span<const std::uint32_t> nodes,
                                                                   const GraphColumn& sizes);

}  // namespace heapcheck::analyze
