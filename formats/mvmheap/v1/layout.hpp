// The lines of a version 1 file and the fields of their items. All facts come from spec/mvmheap/v1.md. The
// grammar (grammar.hpp), the reader and the writer use these tables.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace heapcheck::mvmheap::v1 {

/// Lines with content, in the order in which MoarVM writes them.
enum class LineKind : std::uint8_t { strings, types, static_frames, snapshot, collectables, references };
inline constexpr std::size_t line_kinds = 6;
inline constexpr std::size_t table_kinds = 3;  ///< the first three kinds, which come before all snapshots

inline constexpr std::array<std::string_view, 2> type_fields{"repr_name", "type_name"};
inline constexpr std::array<std::string_view, 4> static_frame_fields{"name", "cuid", "line", "file"};
inline constexpr std::array<std::string_view, 6> collectable_fields{
    "kind", "type_or_frame_index", "size", "unmanaged_size", "refs_start", "num_refs"};
inline constexpr std::array<std::string_view, 3> reference_fields{"kind", "index", "target"};

/// The number of fields in the longest kind of item.
inline constexpr std::size_t max_fields = collectable_fields.size();

struct LineInfo {
  std::string_view name;  ///< used in paths and messages
  std::string_view head;  ///< the text at the start of the line
  /// The fields of the items, in order; empty for lines without a list.
  std::span<const std::string_view> fields;
};

inline constexpr std::array<LineInfo, line_kinds> lines{{
    {"strings", "strings: [", {}},
    {"types", "types: ", type_fields},
    {"static_frames", "static_frames: ", static_frame_fields},
    {"snapshot", "snapshot ", {}},
    {"collectables", "collectables: ", collectable_fields},
    {"references", "references: ", reference_fields},
}};

constexpr const LineInfo& info_of(LineKind kind) { return lines[static_cast<std::size_t>(kind)]; }

/// Whether lines of this kind come before all snapshots.
constexpr bool is_table(LineKind kind) { return kind <= LineKind::static_frames; }

/// The largest kind and the largest index that the description of a reference can contain.
inline constexpr std::uint64_t max_reference_kind = 3;
inline constexpr std::uint64_t max_reference_index = (std::uint64_t{1} << 62) - 1;

}  // namespace heapcheck::mvmheap::v1
