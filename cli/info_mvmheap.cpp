#include "cli/info_mvmheap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace heapcheck::cli {
namespace {

using mvmheap::CollectableKind;

std::uint64_t count_of(const MvmheapInfo::Snapshot& snapshot, CollectableKind kind) {
  return snapshot.kinds[static_cast<std::size_t>(kind)];
}

std::string describe(const MvmheapInfo::Fact& fact) {
  if (!fact.words.empty()) return fact.words;
  if (const auto* number = std::get_if<std::uint64_t>(&fact.value)) return fmt::to_string(*number);
  if (const auto* truth = std::get_if<bool>(&fact.value)) return *truth ? "yes" : "no";
  return std::get<std::string>(fact.value);
}

void append_file(std::string& out, const MvmheapInfo& info) {
  auto to = std::back_inserter(out);
  for (const MvmheapInfo::Fact& fact : info.facts)
    fmt::format_to(to, "  {:<15}{}\n", fmt::format("{}:", fact.label), describe(fact));
  fmt::format_to(to, "  strings:       {}\n  types:         {}\n  static frames: {}\n", info.tables.strings,
                 info.tables.types, info.tables.static_frames);
}

void append_snapshots(std::string& out, const MvmheapInfo& info) {
  if (info.snapshots.empty()) return;
  const bool has_times =
      std::ranges::any_of(info.snapshots, [](const auto& s) { return s.meta.has_value(); });
  auto to = std::back_inserter(out);
  fmt::format_to(to, "\n  {:>8}", "snapshot");
  if (has_times) fmt::format_to(to, " {:>12} {:>6}", "time us", "gc");
  fmt::format_to(to, " {:>12} {:>12} {:>10} {:>8} {:>8} {:>8} {:>14}\n", "collectables", "references",
                 "objects", "types", "STables", "frames", "heap bytes");
  for (const auto& snapshot : info.snapshots) {
    fmt::format_to(to, "  {:>8}", snapshot.index);
    const auto meta = snapshot.meta.value_or(mvmheap::SnapshotMeta{});
    if (has_times) fmt::format_to(to, " {:>12} {:>6}", meta.snap_time, meta.gc_seq_num);
    fmt::format_to(to, " {:>12} {:>12} {:>10} {:>8} {:>8} {:>8} {:>14}{}\n", snapshot.collectables,
                   snapshot.references, count_of(snapshot, CollectableKind::object),
                   count_of(snapshot, CollectableKind::type_object),
                   count_of(snapshot, CollectableKind::stable), count_of(snapshot, CollectableKind::frame),
                   snapshot.byte_count, snapshot.is_whole ? "" : "  (not whole)");
  }
}

void append_blocks(std::string& out, const MvmheapInfo& info) {
  auto to = std::back_inserter(out);
  fmt::format_to(to, "\n  {:<13} {:>5} {:>12} {:>12} {:>14} {:>6} {:>10}\n", "block", "part", "offset",
                 "bytes", "expanded", "entry", "count");
  for (const MvmheapInfo::Block& block : info.blocks) {
    fmt::format_to(to, "  {:<13} {:>5} {:>12} {:>12} {:>14} {:>6} {:>10}{}\n", block.kind,
                   block.part ? fmt::to_string(*block.part) : "", block.span.offset, block.span.length,
                   block.expanded, block.entry_bytes != 0 ? fmt::to_string(block.entry_bytes) : "",
                   block.count != 0 ? fmt::to_string(block.count) : "", block.is_whole ? "" : "  (damaged)");
  }
}

void write_member(core::JsonWriter& json, std::string_view key, std::uint64_t value) {
  json.key(key);
  json.number(value);
}

void write_fact(core::JsonWriter& json, const MvmheapInfo::Fact& fact) {
  json.key(fact.key);
  if (const auto* number = std::get_if<std::uint64_t>(&fact.value)) return json.number(*number);
  if (const auto* truth = std::get_if<bool>(&fact.value)) return json.boolean(*truth);
  json.string(std::get<std::string>(fact.value));
}

void write_snapshot(core::JsonWriter& json, const MvmheapInfo::Snapshot& snapshot) {
  json.begin_object();
  write_member(json, "index", snapshot.index);
  json.key("whole");
  json.boolean(snapshot.is_whole);
  if (snapshot.meta) {
    for (const auto& field : mvmheap::snapshot_meta_fields)
      write_member(json, field.name, (*snapshot.meta).*field.member);
  }
  write_member(json, "collectables", snapshot.collectables);
  write_member(json, "references", snapshot.references);
  write_member(json, "objects", count_of(snapshot, CollectableKind::object));
  write_member(json, "type_objects", count_of(snapshot, CollectableKind::type_object));
  write_member(json, "stables", count_of(snapshot, CollectableKind::stable));
  write_member(json, "frames", count_of(snapshot, CollectableKind::frame));
  write_member(json, "heap_bytes", snapshot.byte_count);
  json.end_object();
}

void write_block(core::JsonWriter& json, const MvmheapInfo::Block& block) {
  json.begin_object();
  json.key("kind");
  json.string(block.kind);
  if (block.part) write_member(json, "part", *block.part);
  write_member(json, "offset", block.span.offset);
  write_member(json, "length", block.span.length);
  write_member(json, "expanded", block.expanded);
  if (block.entry_bytes != 0) write_member(json, "entry_bytes", block.entry_bytes);
  write_member(json, "count", block.count);
  json.key("whole");
  json.boolean(block.is_whole);
  json.end_object();
}

}  // namespace

MvmheapInfo::Snapshot describe_snapshot(const mvmheap::Part& part, bool is_whole) {
  MvmheapInfo::Snapshot snapshot;
  snapshot.index = part.index;
  snapshot.meta = part.meta;
  snapshot.is_whole = is_whole;
  snapshot.collectables = part.snapshot.collectables.count();
  snapshot.references = part.snapshot.references.count();
  if (part.has_whole_graph) {
    const mvmheap::Summary summary =
        mvmheap::summarise(part.snapshot.collectables, part.after, mvmheap::Shares::none);
    std::copy_n(summary.kind_counts.begin(), snapshot.kinds.size(), snapshot.kinds.begin());
    snapshot.byte_count = summary.byte_count;
  }
  return snapshot;
}

void MvmheapInfo::append_text(std::string& out) const {
  append_file(out, *this);
  append_snapshots(out, *this);
  append_blocks(out, *this);
}

void MvmheapInfo::write_json(core::JsonWriter& json) const {
  for (const Fact& fact : facts) write_fact(json, fact);
  write_member(json, "strings", tables.strings);
  write_member(json, "types", tables.types);
  write_member(json, "static_frames", tables.static_frames);
  json.key("snapshots");
  json.begin_array();
  for (const Snapshot& snapshot : snapshots) write_snapshot(json, snapshot);
  json.end_array();
  json.key("blocks");
  json.begin_array();
  for (const Block& block : blocks) write_block(json, block);
  json.end_array();
}

}  // namespace heapcheck::cli
