// Checks whether the header, the columns and their values meet the needs of Chrome DevTools beyond the
// format.
#pragma once

#include "validate/readers.hpp"
#include "validate/v8/heapsnapshot/cases.hpp"
#include "validate/v8/heapsnapshot/readers/rules.hpp"

namespace heapcheck::validation::v8::heapsnapshot::readers {

void check_header_for_devtools(const Snapshot& snapshot, core::FindingSink& sink);
void check_columns_for_devtools(const Snapshot& snapshot, core::FindingSink& sink);
void check_numbers_for_devtools(const Snapshot& snapshot, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot::readers
