// Rules about single entries of a heap: that their ids resolve, and that no entry occurs twice.
#pragma once

#include <string_view>

#include "validate/chrome/legacy/view.hpp"

namespace heapcheck::validation::chrome::legacy {

/// Fills the view with the entries whose stack and type are known, and reports the others.
void resolve_entries(HeapView& view, core::FindingSink& sink);

/// Checks that the first entry of cumulative values is the total.
void check_root(const HeapView& view, core::FindingSink& sink);

/// Checks that no total is missing in a resolved and complete view of cumulative values.
void check_totals(HeapView& view, core::FindingSink& sink);

/// Writers sort entries, so if only one entry is out of order, it is to blame for contradictory values or a
/// missing total. Reports that entry with `cause` in the message, marks the view as incomplete and returns
/// true; returns false if there is no such entry.
bool check_places(HeapView& view, std::string_view cause, core::FindingSink& sink);

}  // namespace heapcheck::validation::chrome::legacy
