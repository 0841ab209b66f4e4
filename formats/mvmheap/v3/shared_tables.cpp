#include "formats/mvmheap/v3/shared_tables.hpp"

#include <algorithm>
#include <array>

namespace heapcheck::mvmheap::v3 {

void SharedTables::enter(const Block& block, std::size_t place, BlockPart& part) {
  if (block.kind == BlockKind::unknown) return;
  const auto kind = static_cast<std::size_t>(block.kind);
  const bool is_first = part.states[kind] == BlockState::absent || block.kind == BlockKind::toc;
  part.states[kind] = block.whole && is_first ? BlockState::whole : BlockState::broken;
  part.blocks[kind] = place;
  if (part.states[kind] != BlockState::broken) return;
  if (block.kind == BlockKind::strings) strings_known_ = false;
  if (block.kind == BlockKind::reprname || block.kind == BlockKind::typename_) drop_types(part);
  if (block.kind >= BlockKind::sfname && block.kind <= BlockKind::sffile) drop_frames(part);
}

void SharedTables::lose(BlockKind first, BlockKind end) {
  const auto reaches = [first, end](BlockKind from, BlockKind to) { return first <= to && end > from; };
  if (reaches(BlockKind::strings, BlockKind::strings)) strings_known_ = false;
  if (reaches(BlockKind::reprname, BlockKind::typename_)) types_known_ = false;
  if (reaches(BlockKind::sfname, BlockKind::sffile)) frames_known_ = false;
}

void SharedTables::end_part(BlockPart& part, bool stopped) {
  const StaticFrameTable& frames = tables_.static_frames;
  if (tables_.types.repr_name.count() != tables_.types.type_name.count()) drop_types(part);
  if (std::ranges::any_of(std::array{frames.cuid.count(), frames.line.count(), frames.file.count()},
                          [&](std::uint64_t count) { return count != frames.name.count(); })) {
    drop_frames(part);
  }
  // If none of the blocks after the rows was read, it is unknown which rows are missing.
  const bool has_all_rows = part.state(BlockKind::topscore) != BlockState::absent ||
                            part.state(BlockKind::toc) != BlockState::absent;
  part.is_cut = stopped && !has_all_rows;
  if (!part.order_known) strings_known_ = types_known_ = frames_known_ = false;
  part.has_whole_graph = part.has_snapshot && part.order_known && part.has_graph_columns();
  part.has_whole_snapshot = part.has_all_snapshot_blocks();
  part.after = tables_.counts();
  part.strings_known = strings_known_;
  part.types_known = types_known_;
  part.frames_known = frames_known_;
}

void SharedTables::drop_types(const BlockPart& part) {
  types_known_ = false;
  tables_.types.repr_name.truncate(part.before.types);
  tables_.types.type_name.truncate(part.before.types);
}

void SharedTables::drop_frames(const BlockPart& part) {
  frames_known_ = false;
  StaticFrameTable& frames = tables_.static_frames;
  for (auto* column : {&frames.name, &frames.cuid, &frames.line, &frames.file}) {
    column->truncate(part.before.static_frames);
  }
}

}  // namespace heapcheck::mvmheap::v3
