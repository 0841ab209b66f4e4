// The metadata of a MoarVM heap dump: facts about the file and about each snapshot, and lists of the types
// and static frames with the highest counts and sizes. Only version 3 contains metadata; a converter computes
// or drops it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "formats/mvmheap/column.hpp"

namespace heapcheck::mvmheap {

/// The four lists of `topIDs` and `topscore`. spec: mvmheap/v3.md#highscores
enum class HighscoreList : std::uint8_t { types_by_count, frames_by_count, types_by_size, frames_by_size };
inline constexpr std::array<std::string_view, 4> highscore_names{"types_by_count", "frames_by_count",
                                                                 "types_by_size", "frames_by_size"};

/// `filemeta`. Times are values of a monotonic clock in microseconds, not dates. spec: mvmheap/v3.md#filemeta
struct FileMeta {
  std::uint64_t subversion = 1;
  std::uint64_t start_time = 0;
  std::optional<std::uint64_t> pid;
  std::uint64_t entry_count = 40;  ///< the number of entries in each highscore list
  std::vector<HighscoreList> data_order{HighscoreList::types_by_count, HighscoreList::frames_by_count,
                                        HighscoreList::types_by_size, HighscoreList::frames_by_size};
  friend bool operator==(const FileMeta&, const FileMeta&) = default;
};

/// `snapmeta`. Sizes are in bytes. spec: mvmheap/v3.md#snapmeta
struct SnapshotMeta {
  std::uint64_t snap_time = 0;
  std::uint64_t gc_seq_num = 0;
  std::uint64_t total_heap_size = 0;
  std::uint64_t total_objects = 0;
  std::uint64_t total_typeobjects = 0;
  std::uint64_t total_stables = 0;
  std::uint64_t total_frames = 0;
  std::uint64_t total_refs = 0;
  friend bool operator==(const SnapshotMeta&, const SnapshotMeta&) = default;
};

struct SnapshotMetaField {
  std::string_view name;
  std::uint64_t SnapshotMeta::* member;
};
/// The fields in the order in which MoarVM writes them.
inline constexpr std::array<SnapshotMetaField, 8> snapshot_meta_fields{{
    {"snap_time", &SnapshotMeta::snap_time},
    {"gc_seq_num", &SnapshotMeta::gc_seq_num},
    {"total_heap_size", &SnapshotMeta::total_heap_size},
    {"total_objects", &SnapshotMeta::total_objects},
    {"total_typeobjects", &SnapshotMeta::total_typeobjects},
    {"total_stables", &SnapshotMeta::total_stables},
    {"total_frames", &SnapshotMeta::total_frames},
    {"total_refs", &SnapshotMeta::total_refs},
}};

/// The index of a member in snapshot_meta_fields.
constexpr std::size_t field_index(std::uint64_t SnapshotMeta::* member) {
  std::size_t i = 0;
  while (snapshot_meta_fields[i].member != member) ++i;
  return i;
}

/// The four lists, one after another in the order stored in FileMeta, as two columns of equal length.
struct Highscores {
  Column<std::uint32_t> ids;     ///< `topIDs`: type or static frame indices
  Column<std::uint32_t> scores;  ///< `topscore`: counts or bytes
  friend bool operator==(const Highscores&, const Highscores&) = default;
};

}  // namespace heapcheck::mvmheap
