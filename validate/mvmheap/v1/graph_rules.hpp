// Rules that only version 1 files can break, over what was read.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "validate/mvmheap/v1/rules.hpp"
#include "validate/mvmheap/view.hpp"

namespace heapcheck::validation::mvmheap::v1 {

/// mvm1.references.count: whether both lists have their items. Where only one place is wrong, that is
/// left to the rules on references. Says whether these make sense. `place` is that of the references.
bool check_reference_count(const SnapshotView& view, Span place, core::FindingSink& sink);
void check_sizes(const SnapshotView& view, core::FindingSink& sink);

}  // namespace heapcheck::validation::mvmheap::v1
