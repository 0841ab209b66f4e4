// Rules over how many there are of everything: arrays against their columns, the header against the arrays,
// and nodes against edges.
#pragma once

#include "validate/v8/heapsnapshot/cases.hpp"
#include "validate/v8/heapsnapshot/rules.hpp"

namespace heapcheck::validation::v8::heapsnapshot {

/// What the counts say about the parts of the graph.
struct GraphSoundness {
  bool nodes = false;  ///< all nodes are there
  bool edges = false;  ///< all edges are there
  bool graph = false;  ///< both, and each edge belongs to the node that it should
};

void check_lengths(const Snapshot& snapshot, core::FindingSink& sink);
/// Says what of the graph can be judged further; where it is not all, records the skip.
[[nodiscard]] GraphSoundness check_graph_counts(const Snapshot& snapshot, core::FindingSink& sink);
void check_trace_function_count(const Snapshot& snapshot, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot
