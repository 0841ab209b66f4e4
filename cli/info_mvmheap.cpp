// heapcheck info for MoarVM dumps.
#include "cli/info.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace heapcheck::cli {
namespace {

/// The number of that name that the file states for a snapshot; 0 if the file does not state it.
std::uint64_t claim_of(const MvmheapSnapshot& snapshot, std::string_view name) {
  const auto found =
      std::ranges::find_if(snapshot.claims, [&](const auto& claim) { return claim.first == name; });
  return found == snapshot.claims.end() ? 0 : found->second;
}

void append_snapshots(std::string& out, const MvmheapSummary& dump) {
  if (dump.snapshots.empty()) return;
  const bool has_times = std::ranges::any_of(dump.snapshots, [](const auto& s) { return !s.claims.empty(); });
  auto to = std::back_inserter(out);
  fmt::format_to(to, "\n  {:>8}", "snapshot");
  if (has_times) fmt::format_to(to, " {:>12} {:>6}", "time us", "gc");
  fmt::format_to(to, " {:>12} {:>12} {:>10} {:>8} {:>8} {:>8} {:>14}\n", "collectables", "references",
                 "objects", "types", "STables", "frames", "heap bytes");
  for (const auto& snapshot : dump.snapshots) {
    fmt::format_to(to, "  {:>8}", snapshot.index);
    if (has_times)
      fmt::format_to(to, " {:>12} {:>6}", claim_of(snapshot, "snap_time"), claim_of(snapshot, "gc_seq_num"));
    fmt::format_to(to, " {:>12} {:>12} {:>10} {:>8} {:>8} {:>8} {:>14}{}\n", snapshot.collectables,
                   snapshot.references, snapshot.objects, snapshot.type_objects, snapshot.stables,
                   snapshot.frames, snapshot.byte_count, snapshot.is_whole ? "" : "  (incomplete)");
  }
}

void append_blocks(std::string& out, const MvmheapSummary& dump) {
  auto to = std::back_inserter(out);
  fmt::format_to(to, "\n  {:<13} {:>5} {:>12} {:>12} {:>14} {:>6} {:>10}\n", "block", "part", "offset",
                 "bytes", "decompressed", "entry", "count");
  for (const FileBlock& block : dump.blocks) {
    fmt::format_to(to, "  {:<13} {:>5} {:>12} {:>12} {:>14} {:>6} {:>10}{}\n", block.kind,
                   block.part ? fmt::to_string(*block.part) : "", block.span.offset, block.span.length,
                   block.expanded, block.entry_bytes != 0 ? fmt::to_string(block.entry_bytes) : "",
                   block.count != 0 ? fmt::to_string(block.count) : "", block.is_whole ? "" : "  (damaged)");
  }
}

void write_snapshot(core::JsonWriter& json, const MvmheapSnapshot& snapshot) {
  write_member(json, "index", snapshot.index);
  write_member(json, "whole", snapshot.is_whole);
  for (const auto& [name, value] : snapshot.claims) write_member(json, name, value);
  write_numbers(json, {{"collectables", snapshot.collectables},
                       {"references", snapshot.references},
                       {"objects", snapshot.objects},
                       {"type_objects", snapshot.type_objects},
                       {"stables", snapshot.stables},
                       {"frames", snapshot.frames},
                       {"heap_bytes", snapshot.byte_count}});
}

void write_block(core::JsonWriter& json, const FileBlock& block) {
  write_member(json, "kind", block.kind);
  if (block.part) write_member(json, "part", *block.part);
  write_numbers(json,
                {{"offset", block.span.offset}, {"length", block.span.length}, {"expanded", block.expanded}});
  if (block.entry_bytes != 0) write_member(json, "entry_bytes", block.entry_bytes);
  write_member(json, "count", block.count);
  write_member(json, "whole", block.is_whole);
}

}  // namespace

void append_text(std::string& out, const MvmheapSummary& dump) {
  append_snapshots(out, dump);
  if (!dump.is_one_snapshot) append_blocks(out, dump);
}

void write_json(core::JsonWriter& json, const MvmheapSummary& dump) {
  write_rows(json, "snapshots", dump.snapshots, write_snapshot);
  write_rows(json, "blocks", dump.blocks, write_block);
}

}  // namespace heapcheck::cli
