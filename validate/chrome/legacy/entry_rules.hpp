// Rules over the entries of a heap one by one: that ids resolve, and that each entry is there once.
#pragma once

#include "validate/chrome/legacy/view.hpp"

namespace heapcheck::validation::chrome::legacy {

/// Fills in the view's entries with those whose stack and type are known, and reports the others.
void resolve_entries(HeapView& view, core::FindingSink& sink);

/// For a resolved view of cumulative values: that the first entry is the total, and no total is missing.
void check_totals(HeapView& view, core::FindingSink& sink);

/// For a view whose values do not fit each other: whether an entry is to blame because it alone is not where
/// writers, who sort entries, put one of its stack and type. It is reported, and the view is not whole any
/// more.
bool check_places(HeapView& view, core::FindingSink& sink);

}  // namespace heapcheck::validation::chrome::legacy
