// Reads and writes the JSON of `filemeta` and `snapmeta`, and records the position of each value in the file.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "formats/core/bytes.hpp"
#include "formats/core/finding_sink.hpp"
#include "formats/mvmheap/metas.hpp"
#include "heapcheck/types/limits.hpp"

namespace heapcheck::mvmheap::v3 {

/// The positions of the values of a snapmeta block in the file, in the order of snapshot_meta_fields.
using SnapshotMetaPlaces = std::array<Span, snapshot_meta_fields.size()>;

/// The positions in the file of the filemeta values that rules check.
struct FileMetaPlaces {
  Span subversion;
  Span start_time;
  Span entry_count;
  Span data_order;
};

/// Reads the JSON of a filemeta block (without its NUL). Reports violations of mvm3.meta.json,
/// mvm3.meta.field and mvm3.filemeta.subversion. Empty if there was an error.
std::optional<FileMeta> read_file_meta(core::ByteView json, const Limits& limits, FileMetaPlaces& places,
                                       core::FindingSink& sink);

/// Reads the JSON of a snapmeta block (without its NUL). `path` names the block in findings. Reports
/// violations of mvm3.meta.json and mvm3.meta.field. Empty if there was an error.
std::optional<SnapshotMeta> read_snapshot_meta(core::ByteView json, const Limits& limits,
                                               const std::string& path, SnapshotMetaPlaces& places,
                                               core::FindingSink& sink);

/// The JSON as MoarVM writes it, without the NUL.
std::string encode_file_meta(const FileMeta& meta);
std::string encode_snapshot_meta(const SnapshotMeta& meta);

}  // namespace heapcheck::mvmheap::v3
