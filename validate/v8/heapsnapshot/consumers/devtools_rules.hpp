// Checks whether the header, the columns and their values meet the needs of Chrome DevTools beyond the
// format.
#pragma once

#include "validate/consumer.hpp"
#include "validate/v8/heapsnapshot/cases.hpp"
#include "validate/v8/heapsnapshot/consumers/rules.hpp"

namespace heapcheck::validation::v8::heapsnapshot::consumers {

void check_header_for_devtools(const Snapshot& snapshot, core::FindingSink& sink);
void check_columns_for_devtools(const Snapshot& snapshot, core::FindingSink& sink);
void check_numbers_for_devtools(const Snapshot& snapshot, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot::consumers
