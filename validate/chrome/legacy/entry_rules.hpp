// Rules about single entries of a heap: that their ids resolve, and that no entry occurs twice.
#pragma once

#include "validate/chrome/legacy/view.hpp"

namespace heapcheck::validation::chrome::legacy {

/// Fills in the view's entries with those whose stack and type are known, and reports the others.
void resolve_entries(HeapView& view, core::FindingSink& sink);

/// Checks a resolved view of cumulative values: the first entry must be the total, and no total may be
/// missing.
void check_totals(HeapView& view, core::FindingSink& sink);

/// For a view whose values contradict each other: whether a single entry is to blame, because writers sort
/// entries and it alone is out of order. That entry is reported, and the view then no longer counts as whole.
bool check_places(HeapView& view, core::FindingSink& sink);

}  // namespace heapcheck::validation::chrome::legacy
