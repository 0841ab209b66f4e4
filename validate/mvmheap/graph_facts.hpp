// Facts about a snapshot that are proved by a fast pass over its columns (graph_pass.hpp). Only where a proof
// fails do the rules search for the fault, which takes longer. Applies to all versions of MoarVM dumps.
#pragma once

#include <cstdint>
#include <optional>

#include "formats/mvmheap/model.hpp"
#include "formats/mvmheap/summary.hpp"

namespace heapcheck::validation::mvmheap {

/// The number of low bits in a description that contain the kind of the reference. The other bits contain its
/// index.
inline constexpr unsigned kind_bits = 2;
inline constexpr auto string_reference =
    static_cast<std::uint64_t>(heapcheck::mvmheap::ReferenceKind::string);
inline constexpr auto stable_kind = static_cast<std::uint64_t>(heapcheck::mvmheap::CollectableKind::stable);

/// If a fact is false, nothing follows from that. All facts are false before the pass.
struct GraphFacts {
  bool ranges_are_inside = false;        ///< each range of references is inside the table
  bool ranges_are_partition = false;     ///< the ranges are an exact partition of the table
  bool targets_are_inside = false;       ///< each target is a collectable
  bool all_are_reachable = false;        ///< each collectable can be reached from the root
  bool have_childless_no_start = false;  ///< refs_start is 0 in each collectable without references
  /// The string index of the name for which this was proved: each object and type object has one reference
  /// with this name, which leads to an STable of its type, and nothing else has such a reference. Empty
  /// unless the ranges are a partition.
  std::optional<std::uint64_t> stable_name;
};

/// The results of a pass over the columns of a snapshot.
struct SnapshotFacts {
  heapcheck::mvmheap::Summary summary;
  GraphFacts graph;
};

/// The facts of a snapshot that is held completely. All columns of a table must have the same length. The
/// other arguments are passed to summarise().
[[nodiscard]] SnapshotFacts find_facts(const heapcheck::mvmheap::Snapshot& snapshot,
                                       const heapcheck::mvmheap::TableCounts& known,
                                       heapcheck::mvmheap::Shares shares);

/// Returns the string index of the first reference from an object to an STable. If it is not the index of
/// `<STable>`, the snapshot is not checked. Strings may come after the snapshot, so the search does not use
/// them. References outside the table are ignored.
[[nodiscard]] std::optional<std::uint64_t> guess_stable_name(const heapcheck::mvmheap::Snapshot& snapshot);

}  // namespace heapcheck::validation::mvmheap
