// Rules on the references of one snapshot, and on the graph that they form; the same for all
// versions of MoarVM dumps.
#pragma once

#include <cstdint>
#include <optional>

#include "formats/core/finding_sink.hpp"
#include "validate/mvmheap/rules.hpp"
#include "validate/mvmheap/view.hpp"

namespace heapcheck::validation::mvmheap {

/// Collectables and references that do not belong together.
struct Mismatch {
  std::uint64_t owned = 0;  ///< the sum of num_refs
  Field field{};            ///< of the first value that points outside the other table
  std::uint64_t first = 0;  ///< its row
};
/// Finds a mismatch: the sum of num_refs is not the number of references, and more than one range or target
/// is outside its table. If only one is, that value itself may be wrong.
std::optional<Mismatch> find_mismatch(const model::Snapshot& snapshot);

/// mvm.refs.count. Returns whether it makes sense to check the collectables and references.
bool check_reference_count(const SnapshotView& view, core::FindingSink& sink);
/// mvm.refs.range: compares the range of each collectable with the length of the table.
void check_ranges(const SnapshotView& view, core::FindingSink& sink);
/// mvm.refs.partition. Requires that no range violates mvm.refs.range.
void check_partition(const SnapshotView& view, core::FindingSink& sink);
/// mvm.refs.kind, mvm.refs.unknown-index and, if the strings are known, mvm.refs.string-range.
void check_descriptions(const SnapshotView& view, bool strings_known, core::FindingSink& sink);

/// mvm.refs.target-range.
void check_targets(const SnapshotView& view, core::FindingSink& sink);
/// mvm.collectable.unreachable. Requires valid ranges and targets, and an exact partition.
void check_reachability(const SnapshotView& view, core::FindingSink& sink);

}  // namespace heapcheck::validation::mvmheap
