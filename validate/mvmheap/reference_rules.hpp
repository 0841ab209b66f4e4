// Rules over the references of one snapshot, and over the graph they make; the same for all
// versions of MoarVM dumps.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "validate/mvmheap/view.hpp"

namespace heapcheck::validation::mvmheap {

namespace rules {

inline constexpr Rule refs_range{"mvm.refs.range",
                                 Severity::error,
                                 Stage::check,
                                 "a collectable's references lie inside the reference table",
                                 "A reader reads past the table.",
                                 "mvmheap/v3.md#references",
                                 "0.1"};
inline constexpr Rule refs_partition{
    "mvm.refs.partition",
    Severity::error,
    Stage::check,
    "every reference belongs to exactly one collectable",
    "A reader follows references that are not the collectable's own, or misses some.",
    "mvmheap/v3.md#references",
    "0.1"};
inline constexpr Rule refs_kind{"mvm.refs.kind",
                                Severity::error,
                                Stage::check,
                                "a reference's kind is 0, 1 or 2",
                                "A reader does not know what the reference's index means.",
                                "mvmheap/v3.md#references",
                                "0.1"};
inline constexpr Rule refs_unknown_index{"mvm.refs.unknown-index",
                                         Severity::error,
                                         Stage::check,
                                         "a reference of kind 0 has index 0",
                                         "The index has no meaning there, so kind or index is wrong.",
                                         "mvmheap/v3.md#references",
                                         "0.1"};
inline constexpr Rule refs_string_range{"mvm.refs.string-range",
                                        Severity::error,
                                        Stage::check,
                                        "a reference of kind 2 indexes a string known at that snapshot",
                                        "A reader shows a wrong name, or reads past its table.",
                                        "mvmheap/v3.md#references",
                                        "0.1"};
inline constexpr Rule refs_target_range{"mvm.refs.target-range",
                                        Severity::error,
                                        Stage::check,
                                        "a reference's target is a collectable of the snapshot",
                                        "A reader reads past its table.",
                                        "mvmheap/v3.md#references",
                                        "0.1"};
inline constexpr Rule collectable_unreachable{
    "mvm.collectable.unreachable",
    Severity::error,
    Stage::check,
    "every collectable can be reached from the root",
    "The writer only records what it reached, so a reference to it has been lost.",
    "mvmheap/v3.md#reachability",
    "0.1"};

}  // namespace rules

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
