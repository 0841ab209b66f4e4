// Checks whether the calls that allocated and the scopes meet the needs of Chrome DevTools beyond the format.
#pragma once

#include "validate/consumer.hpp"
#include "validate/v8/heapsnapshot/cases.hpp"
#include "validate/v8/heapsnapshot/consumers/rules.hpp"

namespace heapcheck::validation::v8::heapsnapshot::consumers {

/// Returns whether the header counts too few functions for DevTools; if so, reports that.
[[nodiscard]] bool check_dropped_functions(const Snapshot& snapshot, core::FindingSink& sink);
void check_trace_for_devtools(const Snapshot& snapshot, const ConsumerProfile& reader,
                              core::FindingSink& sink);
void check_scopes_for_devtools(const Snapshot& snapshot, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot::consumers
