// Rules over the references of one snapshot, and over the graph they make; the same for all
// versions of MoarVM dumps.
#pragma once

#include <array>

#include "formats/core/finding_sink.hpp"
#include "validate/mvmheap/view.hpp"

namespace heapcheck::validation::mvmheap::rules {

inline constexpr Rule refs_range{
    .id = "mvm.refs.range",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "a collectable's references lie inside the reference table",
    .reason = "A reader reads past the table.",
    .anchor = "mvmheap/v3.md#references",
    .since = "0.1",
};
inline constexpr Rule refs_partition{
    .id = "mvm.refs.partition",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "every reference belongs to exactly one collectable",
    .reason = "A reader follows references that are not the collectable's own, or misses some.",
    .anchor = "mvmheap/v3.md#references",
    .since = "0.1",
};
inline constexpr Rule refs_kind{
    .id = "mvm.refs.kind",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "a reference's kind is 0, 1 or 2",
    .reason = "A reader does not know what the reference's index means.",
    .anchor = "mvmheap/v3.md#references",
    .since = "0.1",
};
inline constexpr Rule refs_unknown_index{
    .id = "mvm.refs.unknown-index",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "a reference of kind 0 has index 0",
    .reason = "The index has no meaning there, so kind or index is wrong.",
    .anchor = "mvmheap/v3.md#references",
    .since = "0.1",
};
inline constexpr Rule refs_string_range{
    .id = "mvm.refs.string-range",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "a reference of kind 2 indexes a string known at that snapshot",
    .reason = "A reader shows a wrong name, or reads past its table.",
    .anchor = "mvmheap/v3.md#references",
    .since = "0.1",
};
inline constexpr Rule refs_target_range{
    .id = "mvm.refs.target-range",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "a reference's target is a collectable of the snapshot",
    .reason = "A reader reads past its table.",
    .anchor = "mvmheap/v3.md#references",
    .since = "0.1",
};
inline constexpr Rule collectable_unreachable{
    .id = "mvm.collectable.unreachable",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "every collectable can be reached from the root",
    .reason = "The writer only records what it reached, so a reference to it has been lost.",
    .anchor = "mvmheap/v3.md#reachability",
    .since = "0.1",
};

inline constexpr std::array reference_rules{
    &refs_range,        &refs_partition,          &refs_kind, &refs_unknown_index, &refs_string_range,
    &refs_target_range, &collectable_unreachable,
};

}  // namespace heapcheck::validation::mvmheap::rules

namespace heapcheck::validation::mvmheap {

/// mvm.refs.range: the range of each collectable against the table's length.
void check_ranges(const SnapshotView& view, core::FindingSink& sink);
/// mvm.refs.partition. Needs ranges that hold.
void check_partition(const SnapshotView& view, core::FindingSink& sink);
/// mvm.refs.kind, mvm.refs.unknown-index and, where the strings are known, mvm.refs.string-range.
void check_descriptions(const SnapshotView& view, bool strings_known, core::FindingSink& sink);

/// What one pass over the targets of the references tells.
struct Mentions {
  static constexpr std::uint32_t never = UINT32_MAX;
  /// By collectable: the first reference to it, or `never`. Empty where a target may be outside.
  model::ColumnVector<std::uint32_t> first;
  bool has_outside = false;  ///< whether a target may be outside the snapshot
};
Mentions find_mentions(const model::Snapshot& snapshot);

/// mvm.refs.target-range.
void check_targets(const SnapshotView& view, const Mentions& mentions, core::FindingSink& sink);
/// mvm.collectable.unreachable. Needs ranges, partition and targets that hold.
void check_reachability(const SnapshotView& view, const Mentions& mentions, core::FindingSink& sink);

}  // namespace heapcheck::validation::mvmheap
