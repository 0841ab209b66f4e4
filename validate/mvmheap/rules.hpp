// What must hold of the tables and graphs of a MoarVM dump, whatever its version.
#pragma once

#include <array>

#include "heapcheck/finding.hpp"

namespace heapcheck::validation::mvmheap::rules {

// One line a member, however long.
// clang-format off
inline constexpr Rule collectable_frame_range{
    .id = "mvm.collectable.frame-range", .severity = Severity::error, .stage = Stage::check,
    .title = "frames index a static frame known at that snapshot",
    .reason = "A reader shows a wrong frame, or reads past its table.",
    .anchor = "mvmheap/v3.md#collectables", .since = "0.1"};
inline constexpr Rule collectable_kind{
    .id = "mvm.collectable.kind", .severity = Severity::error, .stage = Stage::check,
    .title = "a collectable's kind is 1 to 11",
    .reason = "A reader does not know what the collectable is, nor which table its index belongs to.",
    .anchor = "mvmheap/v3.md#collectables", .since = "0.1"};
inline constexpr Rule collectable_root{
    .id = "mvm.collectable.root", .severity = Severity::error, .stage = Stage::check,
    .title = "collectable 0, and no other, is the root",
    .reason = "Paths and retained sizes start from collectable 0; with another root they are wrong.",
    .anchor = "mvmheap/v3.md#collectables", .since = "0.1"};
inline constexpr Rule collectable_root_fields{
    .id = "mvm.collectable.root-fields", .severity = Severity::error, .stage = Stage::check,
    .title = "collectables of the kinds 5 to 11 have index and sizes 0",
    .reason = "Roots are no objects: what is added to them is missing from the heap's real total.",
    .anchor = "mvmheap/v3.md#collectables", .since = "0.1"};
inline constexpr Rule collectable_type_range{
    .id = "mvm.collectable.type-range", .severity = Severity::error, .stage = Stage::check,
    .title = "objects, type objects and STables index a type known at that snapshot",
    .reason = "A reader shows a wrong type, or reads past its table.",
    .anchor = "mvmheap/v3.md#collectables", .since = "0.1"};
inline constexpr Rule collectable_unreachable{
    .id = "mvm.collectable.unreachable", .severity = Severity::error, .stage = Stage::check,
    .title = "every collectable can be reached from the root",
    .reason = "The writer only records what it reached, so a reference to it has been lost.",
    .anchor = "mvmheap/v3.md#reachability", .since = "0.1"};
inline constexpr Rule frames_duplicate{
    .id = "mvm.frames.duplicate", .severity = Severity::warning, .stage = Stage::check,
    .title = "name, compilation unit, line and file together are one static frame",
    .reason = "Counts by static frame are split over several rows.",
    .anchor = "mvmheap/v3.md#tables", .since = "0.1"};
inline constexpr Rule frames_string_range{
    .id = "mvm.frames.string-range", .severity = Severity::error, .stage = Stage::check,
    .title = "a static frame's name, compilation unit and file are strings known at that snapshot",
    .reason = "A reader shows a wrong name, or reads past its table.",
    .anchor = "mvmheap/v3.md#tables", .since = "0.1"};
inline constexpr Rule refs_kind{
    .id = "mvm.refs.kind", .severity = Severity::error, .stage = Stage::check,
    .title = "a reference's kind is 0, 1 or 2",
    .reason = "A reader does not know what the reference's index means.",
    .anchor = "mvmheap/v3.md#references", .since = "0.1"};
inline constexpr Rule refs_partition{
    .id = "mvm.refs.partition", .severity = Severity::error, .stage = Stage::check,
    .title = "every reference belongs to exactly one collectable",
    .reason = "A reader follows references that are not the collectable's own, or misses some.",
    .anchor = "mvmheap/v3.md#references", .since = "0.1"};
inline constexpr Rule refs_range{
    .id = "mvm.refs.range", .severity = Severity::error, .stage = Stage::check,
    .title = "a collectable's references lie inside the reference table",
    .reason = "A reader reads past the table.",
    .anchor = "mvmheap/v3.md#references", .since = "0.1"};
inline constexpr Rule refs_string_range{
    .id = "mvm.refs.string-range", .severity = Severity::error, .stage = Stage::check,
    .title = "a reference of kind 2 indexes a string known at that snapshot",
    .reason = "A reader shows a wrong name, or reads past its table.",
    .anchor = "mvmheap/v3.md#references", .since = "0.1"};
inline constexpr Rule refs_target_range{
    .id = "mvm.refs.target-range", .severity = Severity::error, .stage = Stage::check,
    .title = "a reference's target is a collectable of the snapshot",
    .reason = "A reader reads past its table.",
    .anchor = "mvmheap/v3.md#references", .since = "0.1"};
inline constexpr Rule refs_unknown_index{
    .id = "mvm.refs.unknown-index", .severity = Severity::error, .stage = Stage::check,
    .title = "a reference of kind 0 has index 0",
    .reason = "The index has no meaning there, so kind or index is wrong.",
    .anchor = "mvmheap/v3.md#references", .since = "0.1"};
inline constexpr Rule strings_duplicate{
    .id = "mvm.strings.duplicate", .severity = Severity::warning, .stage = Stage::check,
    .title = "a string occurs once",
    .reason = "Readers that look names up by index find only one of them.",
    .anchor = "mvmheap/v3.md#strings", .since = "0.1"};
inline constexpr Rule strings_nul{
    .id = "mvm.strings.nul", .severity = Severity::error, .stage = Stage::check,
    .title = "a string holds no NUL",
    .reason = "The writer cuts names at the first NUL, so a length before the string is wrong.",
    .anchor = "mvmheap/v3.md#strings", .since = "0.1"};
inline constexpr Rule strings_utf8{
    .id = "mvm.strings.utf8", .severity = Severity::error, .stage = Stage::check,
    .title = "a string is UTF-8",
    .reason = "A reader refuses the string, or shows other characters.",
    .anchor = "mvmheap/v3.md#strings", .since = "0.1"};
inline constexpr Rule types_duplicate{
    .id = "mvm.types.duplicate", .severity = Severity::warning, .stage = Stage::check,
    .title = "a pair of representation and name is one type",
    .reason = "Counts by type are split over several rows.",
    .anchor = "mvmheap/v3.md#tables", .since = "0.1"};
inline constexpr Rule types_string_range{
    .id = "mvm.types.string-range", .severity = Severity::error, .stage = Stage::check,
    .title = "a type's names are strings known at that snapshot",
    .reason = "A reader shows a wrong name, or reads past its table.",
    .anchor = "mvmheap/v3.md#tables", .since = "0.1"};
inline constexpr std::array all{&collectable_frame_range, &collectable_kind, &collectable_root, &collectable_root_fields, &collectable_type_range, &collectable_unreachable, &frames_duplicate, &frames_string_range, &refs_kind, &refs_partition, &refs_range, &refs_string_range, &refs_target_range, &refs_unknown_index, &strings_duplicate, &strings_nul, &strings_utf8, &types_duplicate, &types_string_range};
// clang-format on

}  // namespace heapcheck::validation::mvmheap::rules
