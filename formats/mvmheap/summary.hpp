// The result of one pass over a snapshot's collectables: their number and sizes by kind, by type and by
// static frame. `info`, the totals in snapmeta and the highscores are based on it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "formats/mvmheap/model.hpp"

namespace heapcheck::mvmheap {

/// The collectables of one type or static frame.
struct Share {
  std::uint64_t count = 0;
  std::uint64_t byte_count = 0;  ///< size + unmanaged_size
  friend constexpr bool operator==(const Share&, const Share&) = default;
};

struct Summary {
  /// Counts by kind. Entry 0 counts collectables of invalid kinds.
  std::array<std::uint64_t, last_collectable_kind + 1> kind_counts{};
  std::uint64_t byte_count = 0;  ///< sum of size + unmanaged_size, at most 2^64 - 1
  std::vector<Share> types;      ///< by type index; objects only
  std::vector<Share> frames;     ///< by static frame index
  /// Whether any collectable has an index outside its table, and whether any root has an index or a size.
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
/// Whether collectables of this kind have an index into the types table.
constexpr bool is_typed_kind(std::uint64_t kind) {
  return kind >= static_cast<std::uint64_t>(CollectableKind::object) &&
         kind <= static_cast<std::uint64_t>(CollectableKind::stable);
}

/// Whether a summary includes counts and sizes by type and static frame. These take memory and time for every
/// row of the tables, however small the snapshot is.
enum class Shares : std::uint8_t { none, by_row };

/// `known` holds the lengths of the tables. If a length is UINT64_MAX, it is not known yet: the table gets no
/// shares, and no index into it counts as bad. If the columns of `collectables` differ in length, only
/// complete rows count.
Summary summarise(const Collectables& collectables, const TableCounts& known, Shares shares = Shares::by_row);

}  // namespace heapcheck::mvmheap
