// Checks the strings of a heap snapshot, and everything that refers to them.
#pragma once

#include "validate/v8/heapsnapshot/cases.hpp"
#include "validate/v8/heapsnapshot/rules.hpp"

namespace heapcheck::validation::v8::heapsnapshot {

/// Checks every value that is the index of a string. All strings must have been read without errors.
void check_string_indices(const Snapshot& snapshot, core::FindingSink& sink);
void check_strings(const Snapshot& snapshot, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot
