// Rules over the entries of a heap one by one: that ids resolve, and that each entry is there once.
#pragma once

#include "validate/chrome/legacy/view.hpp"

namespace heapcheck::validate::chrome::legacy {

/// Fills in the view's entries with those whose stack and type are known, and reports the others.
void resolve_entries(HeapView& view, core::FindingSink& sink);

/// For a resolved view of cumulative values: that the first entry is the total, and no total is missing.
void check_totals(const HeapView& view, core::FindingSink& sink);

}  // namespace heapcheck::validate::chrome::legacy
