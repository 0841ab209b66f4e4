#include "formats/mvmheap/v3/shared_tables.hpp"

#include <algorithm>
#include <array>

namespace heapcheck::mvmheap::v3 {
namespace {

/// Removes the last `count` values of a column if the values before them are the same. Index is the type of
/// the column's indices.
template <class Index = std::uint64_t, class Column>
bool drop_repeated(Column& column, std::uint64_t count) {
  if (column.count() < 2 * count) return false;
  const std::uint64_t second = column.count() - count;
  for (std::uint64_t i = second; i < column.count(); ++i) {
    if (column[Index{i}] != column[Index{i - count}]) return false;
  }
  column.truncate(second);
  return true;
}

}  // namespace

void SharedTables::enter(const Block& block, std::size_t place, BlockPart& part) {
  if (block.kind == BlockKind::unknown) return;
  const auto kind = static_cast<std::size_t>(block.kind);
  const bool is_first = part.states[kind] == BlockState::absent || block.kind == BlockKind::toc;
  if (!is_first && block.whole && part.is_whole(block.kind) && drop_repeat(part, block)) return;
  part.states[kind] = block.whole && is_first ? BlockState::whole : BlockState::broken;
  part.blocks[kind] = place;
  if (part.states[kind] != BlockState::broken) return;
  lose(block.kind, static_cast<BlockKind>(kind + 1));
  if (block.kind > BlockKind::strings && block.kind <= BlockKind::sffile) truncate(part, block.kind);
}

void SharedTables::lose(BlockKind first, BlockKind end) {
  const auto reaches = [first, end](BlockKind from, BlockKind to) { return first <= to && end > from; };
  if (reaches(BlockKind::strings, BlockKind::strings)) may_lack_strings_ = true;
  if (reaches(BlockKind::reprname, BlockKind::typename_)) may_lack_types_ = true;
  if (reaches(BlockKind::sfname, BlockKind::sffile)) may_lack_frames_ = true;
}

/// Decides whether the rows that may be missing are actually missing.
void SharedTables::settle_losses(const BlockPart& part, const ListedBlocks& listed) {
  // The part may continue in the next part, whose tables of contents then decide for both.
  if (listed.is_open) {
    has_open_part_ = may_lack_strings_ || may_lack_types_ || may_lack_frames_;
    return;
  }
  const bool is_listed = listed.are_known && (!has_open_part_ || listed.has_open_parts);
  const auto lacks = [&](BlockKind first, BlockKind last) {
    if (!is_listed) return true;
    for (auto kind = static_cast<std::size_t>(first); kind <= static_cast<std::size_t>(last); ++kind) {
      if (listed.kinds[kind] && part.states[kind] != BlockState::whole) return true;
    }
    return false;
  };
  const bool lacks_part = may_lack_part_ && !listed.has_all_parts && !listed.has_open_parts;
  if (lacks_part || (may_lack_strings_ && lacks(BlockKind::strings, BlockKind::strings)))
    strings_known_ = false;
  if (lacks_part || (may_lack_types_ && lacks(BlockKind::reprname, BlockKind::typename_)))
    types_known_ = false;
  if (lacks_part || (may_lack_frames_ && lacks(BlockKind::sfname, BlockKind::sffile))) frames_known_ = false;
  may_lack_strings_ = may_lack_types_ = may_lack_frames_ = may_lack_part_ = has_open_part_ = false;
}

void SharedTables::end_part(BlockPart& part, bool stopped, const ListedBlocks& listed) {
  const StaticFrameTable& frames = tables_.static_frames;
  if (tables_.types.repr_name.count() != tables_.types.type_name.count()) drop_types(part, listed.is_open);
  if (std::ranges::any_of(std::array{frames.cuid.count(), frames.line.count(), frames.file.count()},
                          [&](std::uint64_t count) { return count != frames.name.count(); })) {
    drop_frames(part, listed.is_open);
  }
  settle_losses(part, listed);
  // If none of the blocks after the rows was read, the missing rows are unknown.
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

void SharedTables::forget(BlockPart& part, BlockKind kind) {
  part.states[static_cast<std::size_t>(kind)] = BlockState::absent;
  truncate(part, kind);
}

/// Removes the values that blocks of this kind added to the part and the tables.
void SharedTables::truncate(BlockPart& part, BlockKind kind) {
  const bool holds_types = kind == BlockKind::reprname || kind == BlockKind::typename_;
  const bool holds_frames = kind >= BlockKind::sfname && kind <= BlockKind::sffile;
  const std::uint64_t before = holds_types ? part.before.types : holds_frames ? part.before.static_frames : 0;
  if (kind == BlockKind::strings) tables_.strings.truncate(part.before.strings);
  with_column(part, tables_, kind, [before](auto& column) { column.truncate(before); });
  part.show_columns();
}

/// Removes the values of a block if the previous block has the same values.
bool SharedTables::drop_repeat(BlockPart& part, const Block& block) {
  if (block.kind == BlockKind::strings) return drop_repeated<StringIndex>(tables_.strings, block.count);
  bool is_repeat = info_of(block.kind).shape == BlockShape::meta;
  with_column(part, tables_, block.kind,
              [&](auto& column) { is_repeat = drop_repeated(column, block.count); });
  part.show_columns();
  return is_repeat;
}

void SharedTables::drop_types(const BlockPart& part, bool is_open) {
  (is_open ? may_lack_types_ : types_known_) = is_open;
  for (auto* column : columns_of(tables_.types)) column->truncate(part.before.types);
}

void SharedTables::drop_frames(const BlockPart& part, bool is_open) {
  (is_open ? may_lack_frames_ : frames_known_) = is_open;
  for (auto* column : columns_of(tables_.static_frames)) column->truncate(part.before.static_frames);
}

}  // namespace heapcheck::mvmheap::v3
