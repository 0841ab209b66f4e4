// What `heapcheck info` tells of a MoarVM dump, whatever its version: each version's unit fills it in
// (info_mvmheap_v3.cpp), and one place shows it as text or JSON.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/info.hpp"
#include "formats/mvmheap/metas.hpp"
#include "formats/mvmheap/part.hpp"
#include "formats/mvmheap/summary.hpp"

namespace heapcheck::cli {

struct MvmheapInfo final : Info {
  /// One thing that the file as a whole says, or that can be told from it.
  struct Fact {
    std::string_view key;    ///< in JSON
    std::string_view label;  ///< in text
    std::variant<std::uint64_t, bool, std::string> value;
    std::string words = {};  ///< in text, instead of the value
  };
  /// One snapshot, as the file claims and as its columns give.
  struct Snapshot {
    std::uint64_t index = 0;
    std::optional<mvmheap::SnapshotMeta> meta;
    bool is_whole = false;
    std::uint64_t collectables = 0;
    std::uint64_t references = 0;
    std::array<std::uint64_t, mvmheap::last_collectable_kind + 1> kinds{};
    std::uint64_t byte_count = 0;
  };
  /// A block, section or line of the file.
  struct Block {
    std::string kind;
    std::optional<std::uint64_t> part;  ///< the part it belongs to, if it belongs to one
    Span span;
    std::uint64_t expanded = 0;  ///< bytes of content after decompression
    std::uint64_t entry_bytes = 0;
    std::uint64_t count = 0;
    bool is_whole = true;
  };

  void append_text(std::string& out) const override;
  void write_json(core::JsonWriter& json) const override;

  std::vector<Fact> facts;
  mvmheap::TableCounts tables;
  std::vector<Snapshot> snapshots;
  std::vector<Block> blocks;
};

/// The row of the snapshot in `part`; kinds and sizes are left 0 where its graph is not whole.
MvmheapInfo::Snapshot describe_snapshot(const mvmheap::Part& part, bool is_whole);

/// Each reads the dump of its version in `window`, which stands at the first byte.
std::unique_ptr<Info> read_mvmheap_v1_info(core::Window& window, const Limits& limits);
std::unique_ptr<Info> read_mvmheap_v2_info(core::Window& window, const Limits& limits);
std::unique_ptr<Info> read_mvmheap_v3_info(core::Window& window, const Limits& limits);

}  // namespace heapcheck::cli
