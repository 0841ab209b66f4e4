// Rules over the strings of a heap snapshot, and over what leads to them.
#pragma once

#include "validate/v8/heapsnapshot/cases.hpp"
#include "validate/v8/heapsnapshot/rules.hpp"

namespace heapcheck::validation::v8::heapsnapshot {

/// Everything that holds string indices. The strings must be sound.
void check_string_indices(const Snapshot& snapshot, core::FindingSink& sink);
void check_strings(const Snapshot& snapshot, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot
