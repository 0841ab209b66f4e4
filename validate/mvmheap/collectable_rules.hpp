// Rules over the collectables of one snapshot, the same for all versions of MoarVM dumps.
#pragma once

#include <array>

#include "formats/core/finding_sink.hpp"
#include "validate/mvmheap/view.hpp"

namespace heapcheck::validation::mvmheap::rules {

inline constexpr Rule collectable_kind{
    .id = "mvm.collectable.kind",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "a collectable's kind is 1 to 11",
    .reason = "A reader does not know what the collectable is, nor which table its index belongs to.",
    .anchor = "mvmheap/v3.md#collectables",
    .since = "0.1",
};
inline constexpr Rule collectable_root{
    .id = "mvm.collectable.root",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "collectable 0, and no other, is the root",
    .reason = "Paths and retained sizes start from collectable 0; with another root they are wrong.",
    .anchor = "mvmheap/v3.md#collectables",
    .since = "0.1",
};
inline constexpr Rule collectable_type_range{
    .id = "mvm.collectable.type-range",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "objects, type objects and STables index a type known at that snapshot",
    .reason = "A reader shows a wrong type, or reads past its table.",
    .anchor = "mvmheap/v3.md#collectables",
    .since = "0.1",
};
inline constexpr Rule collectable_frame_range{
    .id = "mvm.collectable.frame-range",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "frames index a static frame known at that snapshot",
    .reason = "A reader shows a wrong frame, or reads past its table.",
    .anchor = "mvmheap/v3.md#collectables",
    .since = "0.1",
};
inline constexpr Rule collectable_root_fields{
    .id = "mvm.collectable.root-fields",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "collectables of the kinds 5 to 11 have index and sizes 0",
    .reason = "Roots are no objects: what is added to them is missing from the heap's real total.",
    .anchor = "mvmheap/v3.md#collectables",
    .since = "0.1",
};

inline constexpr std::array collectable_rules{
    &collectable_kind,        &collectable_root,        &collectable_type_range,
    &collectable_frame_range, &collectable_root_fields,
};

}  // namespace heapcheck::validation::mvmheap::rules

namespace heapcheck::validation::mvmheap {

void check_kinds(const SnapshotView& view, core::FindingSink& sink);
void check_root(const SnapshotView& view, core::FindingSink& sink);
/// mvm.collectable.type-range. Needs a whole types table.
void check_type_indices(const SnapshotView& view, core::FindingSink& sink);
/// mvm.collectable.frame-range. Needs a whole static frames table.
void check_frame_indices(const SnapshotView& view, core::FindingSink& sink);
void check_root_fields(const SnapshotView& view, core::FindingSink& sink);

}  // namespace heapcheck::validation::mvmheap
