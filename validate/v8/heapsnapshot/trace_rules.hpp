// Rules over the trace tree, the samples of a timeline and the scopes of a heap snapshot.
#pragma once

#include "validate/v8/heapsnapshot/cases.hpp"
#include "validate/v8/heapsnapshot/rules.hpp"

namespace heapcheck::validation::v8::heapsnapshot {

void check_trace_tree(const Snapshot& snapshot, core::FindingSink& sink);
void check_samples(const Snapshot& snapshot, core::FindingSink& sink);
void check_scope_counts(const Snapshot& snapshot, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot
