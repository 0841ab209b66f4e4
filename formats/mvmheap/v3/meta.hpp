// The JSON of `filemeta` and `snapmeta`: plain values, and where in the file each stands.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/core/bytes.hpp"
#include "formats/core/finding.hpp"
#include "formats/core/limits.hpp"
#include "formats/mvmheap/v3/layout.hpp"

namespace heapcheck::mvmheap::v3 {

/// `filemeta`. Times are microseconds of a monotonic clock, not dates. spec: mvmheap/v3.md#filemeta
struct FileMeta {
  std::uint64_t subversion = supported_subversion;
  std::uint64_t start_time = 0;
  std::optional<std::uint64_t> pid;
  std::uint64_t entry_count = 40;  ///< places in each highscore list
  std::vector<HighscoreList> data_order{HighscoreList::types_by_count, HighscoreList::frames_by_count,
                                        HighscoreList::types_by_size, HighscoreList::frames_by_size};
  friend bool operator==(const FileMeta&, const FileMeta&) = default;
};

/// `snapmeta`. Sizes in bytes. spec: mvmheap/v3.md#snapmeta
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

/// Where the values of a snapmeta stand in the file, in the order of snapshot_meta_fields.
using SnapshotMetaPlaces = std::array<core::Span, snapshot_meta_fields.size()>;

/// The place of a member in snapshot_meta_fields.
constexpr std::size_t field_index(std::uint64_t SnapshotMeta::* member) {
  std::size_t i = 0;
  while (snapshot_meta_fields[i].member != member) ++i;
  return i;
}

/// Where the values of a filemeta that rules judge stand in the file.
struct FileMetaPlaces {
  core::Span subversion;
  core::Span start_time;
  core::Span entry_count;
  core::Span data_order;
};

/// Reads the JSON of a filemeta block (without its NUL). Reports mvm3.meta.json, mvm3.meta.field
/// and mvm3.filemeta.subversion; empty where there was an error.
std::optional<FileMeta> read_file_meta(core::ByteView json, const core::Limits& limits,
                                       FileMetaPlaces& places, core::FindingSink& sink);

/// Reads the JSON of a snapmeta block (without its NUL). `path` names the block in findings.
/// Reports mvm3.meta.json and mvm3.meta.field; empty where there was an error.
std::optional<SnapshotMeta> read_snapshot_meta(core::ByteView json, const core::Limits& limits,
                                               const std::string& path, SnapshotMetaPlaces& places,
                                               core::FindingSink& sink);

/// The JSON as MoarVM spells it, without the NUL.
std::string encode_file_meta(const FileMeta& meta);
std::string encode_snapshot_meta(const SnapshotMeta& meta);

}  // namespace heapcheck::mvmheap::v3
