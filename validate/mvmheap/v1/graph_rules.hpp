// Rules on the contents of snapshots that only version 1 files can break.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "validate/mvmheap/v1/rules.hpp"
#include "validate/mvmheap/view.hpp"

namespace heapcheck::validation::mvmheap::v1 {

/// mvm1.references.count: compares the lengths of the two lists. A single wrong value is left to the rules on
/// references. Returns whether it makes sense to check those. `place` is the place of the references.
bool check_reference_count(const SnapshotView& view, Span place, core::FindingSink& sink);
void check_sizes(const SnapshotView& view, core::FindingSink& sink);

}  // namespace heapcheck::validation::mvmheap::v1
