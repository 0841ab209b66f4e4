#include "formats/mvmheap/v3/part.hpp"

#include <algorithm>

namespace heapcheck::mvmheap::v3 {

void BlockPart::reset(std::uint64_t new_index) {
  mvmheap::Part::reset(new_index);
  meta_places = {};
  states.fill(BlockState::absent);
  blocks.fill(0);
  order_known = true;
}

std::uint64_t expected_count(const BlockPart& part, BlockKind kind) {
  constexpr std::uint64_t most_claimed = std::uint64_t{4} << 20;
  if (kind > BlockKind::colkind && kind <= BlockKind::colusize)
    return part.snapshot.collectables.kind.count();
  if (kind == BlockKind::reftrget) return part.snapshot.references.description.count();
  if (kind == BlockKind::refdescr && part.meta) return std::min(part.meta->total_refs, most_claimed);
  return 0;
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
