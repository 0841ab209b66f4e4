// The byte layout of a version 3 file: its magic, the block kinds and the sizes of their heads. All facts
// come from spec/mvmheap/v3.md. The grammar (grammar.hpp) and the writer use these tables.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace heapcheck::mvmheap::v3 {

inline constexpr std::string_view magic = "MoarHeapDumpv003";
inline constexpr std::size_t kind_bytes = 8;
inline constexpr std::uint64_t supported_subversion = 1;

/// Kinds of blocks, in the order in which they occur in a part of a file.
enum class BlockKind : std::uint8_t {
  filemeta,
  snapmeta,
  colkind,
  colsize,
  coltofi,
  colrfcnt,
  colrfstr,
  colusize,
  refdescr,
  reftrget,
  strings,
  reprname,
  typename_,
  sfname,
  sfcuid,
  sfline,
  sffile,
  top_ids,
  topscore,
  toc,
  unknown,
};
inline constexpr std::size_t kind_count = 20;  ///< without `unknown`

/// The layout of a block after its kind. spec: mvmheap/v3.md#blocks
enum class BlockShape : std::uint8_t {
  meta,     ///< u64 size; JSON and a NUL
  column,   ///< u16 entry size, u64 size; a zstd frame
  strings,  ///< u64 size; a zstd frame
  toc,      ///< u64 count; entries; u64 own start
};

inline constexpr std::array<std::string_view, 4> shape_names{"metadata", "a column", "a string heap",
                                                             "a table of contents"};
constexpr std::string_view name_of(BlockShape shape) { return shape_names[static_cast<std::size_t>(shape)]; }

struct KindInfo {
  std::string_view name;
  BlockShape shape;
  std::uint16_t entry_bytes;  ///< the size that MoarVM writes (2, 4 and 8 are allowed); 0 for kinds without
                              ///< an entry size
};

inline constexpr std::array<KindInfo, kind_count> kinds{{
    {"filemeta", BlockShape::meta, 0},   {"snapmeta", BlockShape::meta, 0},
    {"colkind", BlockShape::column, 2},  {"colsize", BlockShape::column, 2},
    {"coltofi", BlockShape::column, 4},  {"colrfcnt", BlockShape::column, 4},
    {"colrfstr", BlockShape::column, 8}, {"colusize", BlockShape::column, 8},
    {"refdescr", BlockShape::column, 8}, {"reftrget", BlockShape::column, 8},
    {"strings", BlockShape::strings, 0}, {"reprname", BlockShape::column, 4},
    {"typename", BlockShape::column, 4}, {"sfname", BlockShape::column, 4},
    {"sfcuid", BlockShape::column, 4},   {"sfline", BlockShape::column, 4},
    {"sffile", BlockShape::column, 4},   {"topIDs", BlockShape::column, 8},
    {"topscore", BlockShape::column, 8}, {"toc", BlockShape::toc, 0},
}};

constexpr const KindInfo& info_of(BlockKind kind) { return kinds[static_cast<std::size_t>(kind)]; }
constexpr std::string_view name_of(BlockKind kind) {
  return kind == BlockKind::unknown ? "an unknown kind" : info_of(kind).name;
}

/// The kind with this name, which must not be padded; `unknown` if there is none.
constexpr BlockKind find_kind(std::string_view name) {
  for (std::size_t i = 0; i < kind_count; ++i) {
    if (kinds[i].name == name) return static_cast<BlockKind>(i);
  }
  return BlockKind::unknown;
}

/// The number of bytes from the start of a block to the start of its content.
constexpr std::size_t head_bytes(BlockShape shape) {
  return shape == BlockShape::column ? kind_bytes + 2 + 8 : kind_bytes + 8;
}

}  // namespace heapcheck::mvmheap::v3
