// Rules about cumulative values: the callees and the types of a stack hold no more than the stack. One wrong
// value breaks several sums; the entry that most of them have in common is reported.
#pragma once

#include "validate/chrome/legacy/view.hpp"

namespace heapcheck::validation::chrome::legacy {

/// Returns whether the sums in a resolved and complete view of cumulative values are right. Adds broken sums
/// to the faults of the process.
[[nodiscard]] bool check_sums(HeapView& view, core::FindingSink& sink);

/// Called when all heaps of a process have been checked. If a frame with a wrong parent explains all broken
/// sums, reports that frame. If not, reports each stack that is to blame, once.
void report_sums(const ProcessView& process, core::FindingSink& sink);

/// Checks a resolved view of the old variant: neither the stacks nor the types hold more than the total.
void check_old_sums(const HeapView& view, core::FindingSink& sink);

/// Checks that types do not hold less than their stack. Requires a view in which the writer left nothing out
/// and no sum is too large.
void check_type_rests(const HeapView& view, core::FindingSink& sink);

}  // namespace heapcheck::validation::chrome::legacy
