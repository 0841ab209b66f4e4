// What fast passes over the columns of a snapshot prove about it. The rules look for what is wrong only where
// a proof fails, which takes longer. No pass depends on another one, so several threads can share them. The
// same for all versions of MoarVM dumps.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "formats/mvmheap/model.hpp"
#include "formats/mvmheap/summary.hpp"

namespace heapcheck::validation::mvmheap {

/// The lowest bits of a description, which are the kind of the reference; the others are its index.
inline constexpr unsigned kind_bits = 2;
inline constexpr auto string_reference =
    static_cast<std::uint64_t>(heapcheck::mvmheap::ReferenceKind::string);
inline constexpr auto stable_kind = static_cast<std::uint64_t>(heapcheck::mvmheap::CollectableKind::stable);

/// A fact that does not hold proves nothing. Without passes, no fact holds.
struct GraphFacts {
  bool ranges_are_inside = false;     ///< each range of references is inside the table
  bool ranges_are_partition = false;  ///< the ranges are an exact partition of the table
  bool targets_are_inside = false;    ///< each target is a collectable
  bool all_are_reachable = false;     ///< each collectable can be reached from the root
  /// The string index for which it was proved that each object and type object has one reference of this
  /// name, which leads to an STable of its type, and that nothing else has one. Nothing unless the ranges are
  /// a partition.
  std::optional<std::uint64_t> stable_name;
};

/// What is found by passes over the columns of a snapshot.
struct SnapshotFacts {
  heapcheck::mvmheap::Summary summary;
  GraphFacts graph;
};

/// Makes all passes over a snapshot, on up to `threads` threads, together with `other`, which may not change
/// the snapshot. All columns of a table must have the same length. The other arguments are those of
/// summarise().
[[nodiscard]] SnapshotFacts find_facts(const heapcheck::mvmheap::Snapshot& snapshot,
                                       const heapcheck::mvmheap::TableCounts& known,
                                       heapcheck::mvmheap::Shares shares, unsigned threads = 1,
                                       const std::function<void()>& other = {});

/// Returns the string index of the first reference from an object to an STable. If it is not that of
/// `<STable>`, the snapshot is not checked. Strings may come after the snapshot, so this is found without
/// them. References that are outside the table are left out.
[[nodiscard]] std::optional<std::uint64_t> guess_stable_name(const heapcheck::mvmheap::Snapshot& snapshot);

}  // namespace heapcheck::validation::mvmheap
