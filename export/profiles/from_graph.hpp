// The dominator tree of a graph as a profile of allocations by call stack, so that the forms for stacks also
// show what holds the memory of a heap. Borrows nothing.
#pragma once

#include "analyze/retained_sizes.hpp"
#include "heapcheck/types/graph.hpp"
#include "heapcheck/types/profile.hpp"

namespace heapcheck::exports::profiles {

/// A place is a chain of types from the root on: nodes of one type whose dominators are at the same place
/// share one, and a row of memory. The size at a place is that of its nodes themselves, so the cumulative
/// size is what they retain. Nodes that cannot be reached are left out. spec: analysis.md#dominator
[[nodiscard]] AllocationProfile make_profile_of_dominators(const Graph& graph,
                                                           const analyze::Retention& retention);

}  // namespace heapcheck::exports::profiles
