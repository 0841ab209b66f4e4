// Rules on the collectables of one snapshot, the same for all versions of MoarVM dumps.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "validate/mvmheap/rules.hpp"
#include "validate/mvmheap/view.hpp"

namespace heapcheck::validation::mvmheap {

void check_kinds(const SnapshotView& view, core::FindingSink& sink);
void check_root(const SnapshotView& view, core::FindingSink& sink);
/// mvm.collectable.type-range. Requires a complete types table.
void check_type_indices(const SnapshotView& view, core::FindingSink& sink);
/// mvm.collectable.frame-range. Requires a complete static frames table.
void check_frame_indices(const SnapshotView& view, core::FindingSink& sink);
void check_root_fields(const SnapshotView& view, core::FindingSink& sink);
/// mvm.collectable.size-sum.
void check_size_sum(const SnapshotView& view, core::FindingSink& sink);

}  // namespace heapcheck::validation::mvmheap
