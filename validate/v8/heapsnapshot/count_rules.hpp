// Checks the counts: the lengths of arrays against their columns, the header against the arrays, and nodes
// against edges.
#pragma once

#include "validate/v8/heapsnapshot/cases.hpp"
#include "validate/v8/heapsnapshot/rules.hpp"

namespace heapcheck::validation::v8::heapsnapshot {

/// The parts of the graph that are complete, according to the counts.
struct GraphSoundness {
  bool nodes = false;  ///< no node is missing
  bool edges = false;  ///< no edge is missing
  bool graph = false;  ///< both, and each edge belongs to the right node
};

void check_lengths(const Snapshot& snapshot, core::FindingSink& sink);
/// Returns which parts of the graph can be checked further, and records what is skipped.
[[nodiscard]] GraphSoundness check_graph_counts(const Snapshot& snapshot, core::FindingSink& sink);
void check_trace_function_count(const Snapshot& snapshot, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot
