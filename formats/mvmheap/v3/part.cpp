#include "formats/mvmheap/v3/part.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace heapcheck::mvmheap::v3 {

void BlockPart::reset(std::uint64_t new_index) {
  mvmheap::Part::reset(new_index);
  meta_places = {};
  states.fill(BlockState::absent);
  blocks.fill(0);
  order_known = true;
}

namespace {

std::uint64_t cap(std::uint64_t claimed) { return std::min(claimed, std::uint64_t{4} << 20); }

/// The total stated in the metadata of a snapshot.
std::uint64_t find_claimed(const BlockPart& part, bool is_of_references) {
  if (!part.meta) return 0;
  if (is_of_references) return cap(part.meta->total_refs);
  return cap(cap(part.meta->total_objects) + cap(part.meta->total_typeobjects) +
             cap(part.meta->total_stables) + cap(part.meta->total_frames));
}

}  // namespace

std::uint64_t expected_count(const BlockPart& part, BlockKind kind) {
  const bool is_of_references = kind == BlockKind::refdescr || kind == BlockKind::reftrget;
  if (!is_of_references && (kind < BlockKind::colkind || kind > BlockKind::colusize)) return 0;
  const std::uint64_t read = is_of_references ? part.snapshot.references.description.count()
                                              : part.snapshot.collectables.kind.count();
  return read != 0 ? read : find_claimed(part, is_of_references);
}

void move_column(BlockKind kind, BlockPart& from, BlockPart& to) {
  Tables unused;
  with_column(from, unused, kind, [&](auto& source) {
    with_column(to, unused, kind, [&](auto& target) {
      if constexpr (std::is_same_v<decltype(source), decltype(target)>) target = std::move(source);
    });
  });
  if (kind == BlockKind::refdescr) to.snapshot.references.notes = from.snapshot.references.notes;
}

bool BlockPart::has_graph_columns() const {
  for (auto kind = static_cast<int>(BlockKind::colkind); kind <= static_cast<int>(BlockKind::reftrget);
       ++kind) {
    if (!is_whole(static_cast<BlockKind>(kind))) return false;
  }
  return snapshot.has_equal_columns();
}

bool BlockPart::has_all_snapshot_blocks() const {
  if (!has_snapshot || !order_known) return false;
  const auto is_optional = [](BlockKind kind) {
    return kind >= BlockKind::strings && kind <= BlockKind::sffile;
  };
  for (auto kind = BlockKind::snapmeta; kind <= BlockKind::topscore;
       kind = static_cast<BlockKind>(static_cast<int>(kind) + 1)) {
    if (state(kind) == BlockState::broken) return false;
    if (state(kind) == BlockState::absent && !is_optional(kind)) return false;
  }
  return true;
}

}  // namespace heapcheck::mvmheap::v3
