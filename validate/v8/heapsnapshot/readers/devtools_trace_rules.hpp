// Checks whether the calls that allocated and the scopes meet the needs of Chrome DevTools beyond the format.
#pragma once

#include "validate/readers.hpp"
#include "validate/v8/heapsnapshot/cases.hpp"
#include "validate/v8/heapsnapshot/readers/rules.hpp"

namespace heapcheck::validation::v8::heapsnapshot::readers {

/// Returns whether the header counts too few functions for DevTools; if so, reports that.
[[nodiscard]] bool check_dropped_functions(const Snapshot& snapshot, core::FindingSink& sink);
void check_trace_for_devtools(const Snapshot& snapshot, const ReaderProfile& reader, core::FindingSink& sink);
void check_scopes_for_devtools(const Snapshot& snapshot, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot::readers
