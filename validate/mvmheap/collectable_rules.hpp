// Rules over the collectables of one snapshot, the same for all versions of MoarVM dumps.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "validate/mvmheap/view.hpp"

namespace heapcheck::validation::mvmheap {

namespace rules {

inline constexpr Rule collectable_kind{
    "mvm.collectable.kind",
    Severity::error,
    Stage::check,
    "a collectable's kind is 1 to 11",
    "A reader does not know what the collectable is, nor which table its index belongs to.",
    "mvmheap/v3.md#collectables",
    "0.1"};
inline constexpr Rule collectable_root{
    "mvm.collectable.root",
    Severity::error,
    Stage::check,
    "collectable 0, and no other, is the root",
    "Paths and retained sizes start from collectable 0; with another root they are wrong.",
    "mvmheap/v3.md#collectables",
    "0.1"};
inline constexpr Rule collectable_type_range{
    "mvm.collectable.type-range",
    Severity::error,
    Stage::check,
    "objects, type objects and STables index a type known at that snapshot",
    "A reader shows a wrong type, or reads past its table.",
    "mvmheap/v3.md#collectables",
    "0.1"};
inline constexpr Rule collectable_frame_range{"mvm.collectable.frame-range",
                                              Severity::error,
                                              Stage::check,
                                              "frames index a static frame known at that snapshot",
                                              "A reader shows a wrong frame, or reads past its table.",
                                              "mvmheap/v3.md#collectables",
                                              "0.1"};
inline constexpr Rule collectable_root_fields{
    "mvm.collectable.root-fields",
    Severity::error,
    Stage::check,
    "collectables of the kinds 5 to 11 have index and sizes 0",
    "Roots are no objects: what is added to them is missing from the heap's real total.",
    "mvmheap/v3.md#collectables",
    "0.1"};

}  // namespace rules

void check_kinds(const SnapshotView& view, core::FindingSink& sink);
void check_root(const SnapshotView& view, core::FindingSink& sink);
/// mvm.collectable.type-range. Needs a whole types table.
void check_type_indices(const SnapshotView& view, core::FindingSink& sink);
/// mvm.collectable.frame-range. Needs a whole static frames table.
void check_frame_indices(const SnapshotView& view, core::FindingSink& sink);
void check_root_fields(const SnapshotView& view, core::FindingSink& sink);

}  // namespace heapcheck::validation::mvmheap
