// Rules over the references of one snapshot, and over the graph they make; the same for all
// versions of MoarVM dumps.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "validate/mvmheap/rules.hpp"
#include "validate/mvmheap/view.hpp"

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
