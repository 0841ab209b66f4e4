// The result of one pass over a snapshot's collectables: their number and sizes by kind, by type and by
// static frame. `info` is based on it, and so are the totals in the snapmeta block and the highscores. For
// models without totals and highscores, they are computed here in the same way as in MoarVM.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "formats/mvmheap/metas.hpp"
#include "formats/mvmheap/model.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::mvmheap {

/// The collectables of one type or static frame.
struct Share {
  std::uint64_t count = 0;
  std::uint64_t byte_count = 0;  ///< size + unmanaged_size
  friend constexpr bool operator==(const Share&, const Share&) = default;
};

struct Summary {
  /// The counts by kind. Entry 0 counts collectables of invalid kinds.
  std::array<std::uint64_t, last_collectable_kind + 1> kind_counts{};
  std::uint64_t byte_count = 0;  ///< the sum of size + unmanaged_size, at most 2^64 - 1
  std::vector<Share> types;      ///< by type index; objects only
  std::vector<Share> frames;     ///< by static frame index
  /// The lengths that the tables must have to contain all indices of collectables that are not counted in
  /// `types` or `frames`.
  TableCounts needed;
  /// Whether any collectable has an index outside its table, or any root has an index or a size.
  bool has_bad_index = false;
  bool has_root_fields = false;

  [[nodiscard]] std::uint64_t count_of(CollectableKind kind) const {
    return kind_counts[static_cast<std::size_t>(kind)];
  }
};

/// Whether collectables of this kind are roots: they have no index and no size.
constexpr bool is_root_kind(std::uint64_t kind) {
  return kind >= static_cast<std::uint64_t>(CollectableKind::permanent_roots) &&
         kind <= last_collectable_kind;
}
/// Whether collectables of this kind have an index into the table of types.
constexpr bool is_typed_kind(std::uint64_t kind) {
  return kind >= static_cast<std::uint64_t>(CollectableKind::object) &&
         kind <= static_cast<std::uint64_t>(CollectableKind::stable);
}

/// Whether a summary includes counts and sizes by type and static frame. These counts and sizes take memory
/// and time for every row of the tables, even for a small snapshot.
enum class Shares : std::uint8_t { none, by_row };

/// Adds up collectables piece by piece, before the lengths of the tables are known.
class SummaryBuilder {
 public:
  explicit SummaryBuilder(Shares shares = Shares::by_row) : shares_(shares) {}

  /// Adds the rows that have a value in every column, starting after the rows that were added before, if
  /// there are at least `least` of them, which is 1 at the end of the snapshot. Returns false if that is not
  /// possible, because a value is too wide, an index is so large that it could only be counted in a table of
  /// that length, or rows are gone.
  [[nodiscard]] bool add(const Collectables& collectables, std::uint64_t least);
  /// The number of rows that were added.
  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// The summary of the rows, as summarise() returns it.
  [[nodiscard]] Summary finish(const TableCounts& known) &&;

 private:
  Shares shares_;
  Summary summary_;
  std::uint64_t count_ = 0;
};

/// `known` contains the lengths of the tables. A length of UINT64_MAX is not known yet, in which case the
/// table gets no shares and no index into it is considered bad. If the columns of `collectables` differ in
/// length, only complete rows are counted.
Summary summarise(const Collectables& collectables, const TableCounts& known, Shares shares = Shares::by_row);

/// The totals of a snapshot, of whose collectables `summary` must be the summary. The time and the garbage
/// collection number are unknown, so they are set to 0.
SnapshotMeta make_snapshot_meta(const Snapshot& snapshot, const Summary& summary);

/// The number of references from the call stack roots. For each of these references, MoarVM adds a frame
/// without counting it, so `total_frames` in a real file may be too low by this number. spec:
/// mvmheap/v3.md#quirks
std::uint64_t count_stack_frames(const Collectables& collectables, const Summary& summary);

/// The four lists in the order given by `meta`, with scores in descending order, equal scores in index order,
/// and unused entries set to 0. Errors: limit if the entries do not fit in Limits::max_memory.
Result<Highscores> make_highscores(const Summary& summary, const FileMeta& meta, const Limits& limits);

}  // namespace heapcheck::mvmheap
