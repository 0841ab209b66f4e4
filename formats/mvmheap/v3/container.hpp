// The layout of a version 3 file: its blocks in file order, and the entries of its tables of contents. It is
// small, is filled in by the reader, and is checked by validate/mvmheap/v3.
#pragma once

#include <cstdint>
#include <vector>

#include "formats/core/bytes.hpp"
#include "formats/mvmheap/v3/grammar.hpp"
#include "formats/mvmheap/v3/layout.hpp"

namespace heapcheck::mvmheap::v3 {

struct Block {
  BlockKind kind = BlockKind::unknown;
  Span span;                      ///< the whole block
  Span content;                   ///< its JSON, frame or entries
  std::uint64_t part = 0;         ///< the number of the part to which it belongs
  std::uint16_t entry_bytes = 0;  ///< for a column, the entry size used for decoding
  bool entry_bytes_hold = true;   ///< whether this is the entry size in the file rather than a guess
  std::uint64_t expanded = 0;     ///< the size of the content after decompression
  std::uint64_t count = 0;        ///< the number of values, strings or entries
  bool whole = true;              ///< whether its content could be read
};

struct Toc {
  std::size_t block = 0;             ///< its index in BlockContainer::blocks
  bool outer = false;                ///< whether it lists the whole file so far instead of one part
  std::uint64_t declared_count = 0;  ///< the number of entries according to its head
  std::uint64_t own_start = 0;       ///< its closing offset
  /// How many entries at its start are the same as in the previous outer table.
  std::uint64_t repeated = 0;
  std::vector<grammar::TocEntry> entries;  ///< only the other entries, so that many snapshots fit in memory
};

/// Turns the entries of the previous outer table into the entries of `outer`, including repeated entries.
inline void update_entries(std::vector<grammar::TocEntry>& entries, const Toc& outer) {
  entries.resize(static_cast<std::size_t>(outer.repeated));
  entries.insert(entries.end(), outer.entries.begin(), outer.entries.end());
}

struct BlockContainer {
  std::uint64_t byte_count = 0;
  std::uint64_t parts = 0;            ///< the number of parts begun
  std::uint64_t whole_snapshots = 0;  ///< the number of snapshots in which every block could be read
  std::vector<Block> blocks;
  std::vector<Toc> tocs;
  /// The numbers of the parts with a missing or damaged block or a block of uncertain kind. The tables of
  /// contents of these parts are not checked against the blocks.
  std::vector<std::uint64_t> damaged_parts;
  /// Whether bytes were found between blocks. If so, offsets in tables of contents may be shifted.
  bool moved = false;
  /// Whether reading has ended, after the last part or earlier.
  bool stopped = false;

  /// The `end` value in an entry for this block. For a `toc`, it does not include the closing offset.
  [[nodiscard]] static std::uint64_t listed_end(const Block& block) {
    return block.span.end() - (block.kind == BlockKind::toc ? sizeof(std::uint64_t) : 0);
  }
};

}  // namespace heapcheck::mvmheap::v3
