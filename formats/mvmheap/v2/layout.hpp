// The byte layout of a version 2 file: its magic, the tags of sections, the sizes of heads and entries, and
// the widths of references. All facts come from spec/mvmheap/v2.md. The grammar (grammar.hpp) and the writer
// use these tables.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heapcheck::mvmheap::v2 {

inline constexpr std::string_view magic = "MoarHeapDumpv002";
inline constexpr std::size_t tag_bytes = 4;

/// Kinds of sections, in the order in which they occur.
enum class SectionKind : std::uint8_t { collectables, references, strings, types, static_frames };
inline constexpr std::size_t section_kind_count = 5;

struct SectionInfo {
  std::string_view tag;
  std::string_view name;          ///< the name used in paths and messages
  std::uint64_t entry_bytes;      ///< the entry size in the head; 0 if the head has none
  std::size_t head_bytes;         ///< the size of the head: tag, count and entry size
  std::size_t least_entry_bytes;  ///< the smallest size of an entry
};

// spec: mvmheap/v2.md#sections
inline constexpr std::array<SectionInfo, section_kind_count> sections{{
    {"coll", "collectables", 28, tag_bytes + 8 + 8, 28},
    {"refs", "references", 17, tag_bytes + 8 + 8, 4},
    {"strs", "strings", 0, tag_bytes + 8, 8},
    {"type", "types", 16, tag_bytes + 8 + 8, 16},
    {"fram", "static_frames", 32, tag_bytes + 8 + 8, 32},
}};
constexpr const SectionInfo& info_of(SectionKind kind) { return sections[static_cast<std::size_t>(kind)]; }
constexpr std::string_view tag_of(SectionKind kind) { return info_of(kind).tag; }
constexpr std::string_view name_of(SectionKind kind) { return info_of(kind).name; }

/// The offsets of the fields in the 28 bytes of a collectable. spec: mvmheap/v2.md#collectables
namespace collectable_offset {
inline constexpr std::size_t kind = 0;
inline constexpr std::size_t type_or_frame_index = 2;
inline constexpr std::size_t size = 6;
inline constexpr std::size_t unmanaged_size = 8;
inline constexpr std::size_t refs_start = 16;
inline constexpr std::size_t num_refs = 24;
}  // namespace collectable_offset
inline constexpr std::size_t collectable_bytes = 28;

/// The width of a reference's index and target, and the byte that represents it. spec:
/// mvmheap/v2.md#references
struct Width {
  std::uint8_t code;
  std::uint8_t byte_count;
};
inline constexpr std::array<Width, 4> widths{{{'0', 1}, {'1', 2}, {'3', 4}, {'6', 8}}};

/// The width in bytes of the index and the target after this width byte, or 0 if the width byte is invalid.
constexpr std::size_t width_bytes(std::uint8_t code) {
  for (const Width& width : widths) {
    if (width.code == code) return width.byte_count;
  }
  return 0;
}
constexpr std::size_t reference_bytes(std::size_t width_bytes) { return 2 + 2 * width_bytes; }
inline constexpr std::size_t most_reference_bytes = reference_bytes(8);

/// The width that MoarVM uses: the first width whose largest value is greater than both values.
constexpr Width narrowest_width(std::uint64_t index, std::uint64_t target) {
  constexpr unsigned bits_per_byte = 8;
  const std::uint64_t largest = std::max(index, target);
  for (const Width& width : widths) {
    if (width.byte_count == 8 || largest < (std::uint64_t{1} << (width.byte_count * bits_per_byte)) - 1)
      return width;
  }
  return widths.back();
}
/// In the model, the lower 2 bits of a description are the kind of the reference, and the other bits are its
/// index.
inline constexpr unsigned kind_bits = 2;

inline constexpr std::size_t index_entry_bytes = 4 * 8;
inline constexpr std::size_t trailer_bytes = 4 * 8;

/// The layouts, which differ in the rows after each snapshot and the rows at the end of the file. spec:
/// mvmheap/v2.md#layouts
enum class Layout : std::uint8_t {
  unknown,        ///< not enough has been read to determine the layout
  increments,     ///< A: new rows after each snapshot, and all rows at the end
  tables_at_end,  ///< B: all rows at the end only
  uncounted,      ///< C: new rows after each snapshot, not counted in the index
};

/// Whether the layout has rows after every snapshot.
constexpr bool needs_rows(Layout layout) {
  return layout == Layout::increments || layout == Layout::uncounted;
}

}  // namespace heapcheck::mvmheap::v2
