// A part of a version 3 file, which consists of the blocks listed in one inner table of contents: a snapshot
// with the rows that it adds to the shared tables or, at the end of the file, only the remaining rows.
#pragma once

#include <array>
#include <cstdint>

#include "formats/mvmheap/part.hpp"
#include "formats/mvmheap/v3/layout.hpp"
#include "formats/mvmheap/v3/meta.hpp"

namespace heapcheck::mvmheap::v3 {

enum class BlockState : std::uint8_t { absent, whole, broken };

struct BlockPart : mvmheap::Part {
  SnapshotMetaPlaces meta_places{};

  std::array<BlockState, kind_count> states{};
  std::array<std::size_t, kind_count> blocks{};  ///< indices into BlockContainer::blocks, unless the block is
                                                 ///< absent
  bool order_known = true;                       ///< whether all blocks were read as blocks of the part

  [[nodiscard]] BlockState state(BlockKind kind) const { return states[static_cast<std::size_t>(kind)]; }
  [[nodiscard]] bool is_whole(BlockKind kind) const { return state(kind) == BlockState::whole; }
  [[nodiscard]] std::size_t block(BlockKind kind) const { return blocks[static_cast<std::size_t>(kind)]; }

  /// Empties the part for reuse but keeps the memory of its columns.
  void reset(std::uint64_t new_index);
  /// Whether the columns of the graph are present, readable, and of the same length.
  [[nodiscard]] bool has_graph_columns() const;
  /// Whether every block of a snapshot is present and readable.
  [[nodiscard]] bool has_all_snapshot_blocks() const;
};

/// The number of values that a column of this kind probably has, based on earlier blocks of the part. This is
/// only a hint for reserving memory. Numbers that the file merely claims are capped.
std::uint64_t expected_count(const BlockPart& part, BlockKind kind);

/// Moves a column of the graph together with the notes about it.
void move_column(BlockKind kind, BlockPart& from, BlockPart& to);

/// Calls `use` with the column of the model into which blocks of this kind are read. Does nothing for kinds
/// that are not columns.
template <class Use>
void with_column(BlockPart& part, Tables& tables, BlockKind kind, Use&& use) {
  Collectables& collectables = part.snapshot.collectables;
  switch (kind) {
    case BlockKind::colkind:
      return use(collectables.kind);
    case BlockKind::colsize:
      return use(collectables.size);
    case BlockKind::coltofi:
      return use(collectables.type_or_frame_index);
    case BlockKind::colrfcnt:
      return use(collectables.num_refs);
    case BlockKind::colrfstr:
      return use(collectables.refs_start);
    case BlockKind::colusize:
      return use(collectables.unmanaged_size);
    case BlockKind::refdescr:
      return use(part.snapshot.references.description);
    case BlockKind::reftrget:
      return use(part.snapshot.references.target);
    case BlockKind::reprname:
      return use(tables.types.repr_name);
    case BlockKind::typename_:
      return use(tables.types.type_name);
    case BlockKind::sfname:
      return use(tables.static_frames.name);
    case BlockKind::sfcuid:
      return use(tables.static_frames.cuid);
    case BlockKind::sfline:
      return use(tables.static_frames.line);
    case BlockKind::sffile:
      return use(tables.static_frames.file);
    case BlockKind::top_ids:
      return use(part.highscores.ids);
    case BlockKind::topscore:
      return use(part.highscores.scores);
    default:
      return;
  }
}

}  // namespace heapcheck::mvmheap::v3
