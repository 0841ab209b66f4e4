// What `heapcheck info` tells of a MoarVM version 3 dump.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "formats/core/json/writer.hpp"
#include "formats/core/limits.hpp"
#include "formats/core/window.hpp"
#include "formats/mvmheap/summary.hpp"
#include "formats/mvmheap/v3/container.hpp"
#include "formats/mvmheap/v3/meta.hpp"

namespace heapcheck::cli {

struct MvmheapV3Info {
  /// One snapshot, as the file claims and as its columns give.
  struct Snapshot {
    std::uint64_t index = 0;
    std::optional<mvmheap::v3::SnapshotMeta> meta;
    bool is_whole = false;
    std::uint64_t collectables = 0;
    std::uint64_t references = 0;
    std::array<std::uint64_t, mvmheap::last_collectable_kind + 1> kinds{};
    std::uint64_t byte_count = 0;
  };

  std::optional<mvmheap::v3::FileMeta> file_meta;
  mvmheap::v3::Container container;
  mvmheap::TableCounts tables;
  std::vector<Snapshot> snapshots;
  bool is_finished = false;
  std::uint64_t errors = 0;  ///< found while reading; `validate` says which
  std::uint64_t limits = 0;  ///< reached while reading
};

/// Reads the dump in `window`, which stands at the magic.
MvmheapV3Info read_mvmheap_v3_info(core::Window& window, const core::Limits& limits);

void append_text(std::string& out, const MvmheapV3Info& info);
/// Adds members to the object that is open.
void write_json(core::JsonWriter& json, const MvmheapV3Info& info);

}  // namespace heapcheck::cli
