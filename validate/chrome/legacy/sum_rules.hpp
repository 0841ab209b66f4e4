// Rules about cumulative values: the callees and the types of a stack hold at most what the stack holds. One
// wrong value breaks several sums; the entry that most of them have in common is reported.
#pragma once

#include "validate/chrome/legacy/view.hpp"

namespace heapcheck::validation::chrome::legacy {

/// For a resolved and complete view of cumulative values: whether the sums are right. Broken sums are added
/// to the faults of the process.
[[nodiscard]] bool check_sums(HeapView& view, core::FindingSink& sink);

/// For a process whose heaps have all been checked: reports the frame whose place is wrong if that explains
/// all broken sums, and otherwise each stack that is to blame, once.
void report_sums(const ProcessView& process, core::FindingSink& sink);

/// For a view in which the writer left nothing out and no sum is too large: checks that types do not hold
/// less than their stack.
void check_type_rests(const HeapView& view, core::FindingSink& sink);

}  // namespace heapcheck::validation::chrome::legacy
