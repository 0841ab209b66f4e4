// Rules over cumulative values: callees and types of a stack hold at most what the stack holds. One wrong
// value breaks several sums; what is reported is the entry that most of them have in common.
#pragma once

#include "validate/chrome/legacy/view.hpp"

namespace heapcheck::validation::chrome::legacy {

/// For a resolved view of cumulative values that are all there: whether the sums are right. Those that are
/// not go to the process's faults.
[[nodiscard]] bool check_sums(HeapView& view, core::FindingSink& sink);

/// For a process whose heaps are all checked: the frame whose place is wrong, if that explains all sums that
/// are; otherwise each stack that is to blame, once.
void report_sums(const ProcessView& process, core::FindingSink& sink);

/// The same, where the writer left nothing out and no sum is too large: types hold no less than their stack.
void check_type_rests(const HeapView& view, core::FindingSink& sink);

}  // namespace heapcheck::validation::chrome::legacy
