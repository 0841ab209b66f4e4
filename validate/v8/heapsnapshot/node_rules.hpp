// Checks the nodes of a heap snapshot, except for their number and whether they can be reached.
#pragma once

#include "validate/v8/heapsnapshot/cases.hpp"
#include "validate/v8/heapsnapshot/rules.hpp"

namespace heapcheck::validation::v8::heapsnapshot {

void check_nodes(const Snapshot& snapshot, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot
