// The rules that only version 1 files can violate.
#pragma once

#include <array>

#include "formats/core/finding_sink.hpp"
#include "heapcheck/types/finding.hpp"
#include "validate/mvmheap/view.hpp"

namespace heapcheck::validation::mvmheap::v1::rules {

// One line per member, however long.
// clang-format off
inline constexpr Rule collectables_childless_start{
    .id = "mvm1.collectables.childless-start", .severity = Severity::warning, .stage = Stage::check,
    .title = "a collectable without references has refs_start 0",
    .reason = "MoarVM writes 0 there, so another program wrote the file or num_refs was changed.",
    .example = "3,0,192,0,5,0: refs_start is 5 and num_refs is 0",
    .advice = "The graph can be read; check whether the collectable should have references. If you write such files, write 0 as refs_start where num_refs is 0.",
    .anchor = "mvmheap/v1.md#collectables", .since = "0.1"};
inline constexpr Rule collectables_size{
    .id = "mvm1.collectables.size", .severity = Severity::warning, .stage = Stage::check,
    .title = "the size of a collectable is below 65536",
    .reason = "MoarVM keeps the size in 16 bits, so another program wrote the file or a digit was added.",
    .example = "3,0,65536,0,0,0: size is 65536",
    .advice = "Do not rely on the sizes in this snapshot. If you write such files, put only memory managed by the garbage collector in size, and all other memory in unmanaged_size.",
    .anchor = "mvmheap/v1.md#collectables", .since = "0.1"};
inline constexpr Rule references_count{
    .id = "mvm1.references.count", .severity = Severity::error, .stage = Stage::check,
    .title = "the collectables and references of a snapshot match",
    .reason = "Items are missing from one of the two lists, so a reader combines collectables with the wrong references.",
    .example = "a list of 5 references after collectables whose num_refs add up to 1",
    .advice = "Run heapcheck recover to keep the other snapshots. If you write such files, write every collectable and every reference of a snapshot.",
    .anchor = "mvmheap/v1.md#references", .since = "0.1"};
inline constexpr Rule references_targets{
    .id = "mvm1.references.targets", .severity = Severity::note, .stage = Stage::check,
    .title = "references state their targets",
    .reason = "32-bit builds of MoarVM until 2017.03 wrote the kind, 0 and the index, so the graph has no edges.",
    .example = "`references: 2,0,0;2,0,1;2,0,2`: names 0, 1 and 2, with a 0 before each and no targets",
    .advice = "Numbers, names and sizes of collectables can be used. For anything that follows references, take the dump with a later version of MoarVM or with a 64-bit build.",
    .anchor = "mvmheap/v1.md#32-bit-builds", .since = "0.2"};
inline constexpr Rule tables_count{
    .id = "mvm1.tables.count", .severity = Severity::error, .stage = Stage::check,
    .title = "the tables contain every row that is referred to",
    .reason = "Rows are missing from a table, so everything that refers to rows after the gap is shown with the wrong name.",
    .example = "an empty list of types in a file with objects of type 0 and type 1",
    .advice = "Run heapcheck recover --placeholder-names to keep the graphs with placeholders for the lost names. If you write such files, write all rows of the tables before the first snapshot.",
    .anchor = "mvmheap/v1.md#tables", .since = "0.1"};
inline constexpr std::array all{&collectables_childless_start, &collectables_size, &references_count, &references_targets, &tables_count};
// clang-format on

}  // namespace heapcheck::validation::mvmheap::v1::rules

namespace heapcheck::validation::mvmheap::v1 {

// Rules for the contents of snapshots that only version 1 files can violate.

/// mvm1.references.count: compares the lengths of the two lists. A single wrong value is left to the rules
/// for references. Returns whether it makes sense to check the references, which are at `place`.
bool check_reference_count(const SnapshotView& view, Span place, core::FindingSink& sink);
void check_sizes(const SnapshotView& view, core::FindingSink& sink);
/// mvm1.references.targets, reported at `place`, the place of the references.
void check_has_targets(const SnapshotView& view, Span place, core::FindingSink& sink);

}  // namespace heapcheck::validation::mvmheap::v1
