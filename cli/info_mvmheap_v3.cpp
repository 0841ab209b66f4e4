#include "cli/info_mvmheap_v3.hpp"

#include <fmt/format.h>

#include <iterator>

#include "formats/mvmheap/v3/reader.hpp"

namespace heapcheck::cli {
namespace {

namespace v3 = mvmheap::v3;
using mvmheap::CollectableKind;

/// Counts errors and forgets them: info shows what is there, validate says what is wrong.
class ErrorCounter final : public core::FindingSink {
 public:
  void report(core::Finding finding) override { report_more(*finding.rule, 1); }
  void report_more(const core::Rule& rule, std::uint64_t count) override {
    if (rule.stage == core::Stage::limit) {
      limits_ += count;
    } else if (rule.severity == core::Severity::error) {
      errors_ += count;
    }
  }
  void skip(core::Skip) override {}
  [[nodiscard]] std::uint64_t wanted(const core::Rule&) const override { return 0; }
  [[nodiscard]] std::uint64_t errors() const { return errors_; }
  [[nodiscard]] std::uint64_t limits() const { return limits_; }

 private:
  std::uint64_t errors_ = 0;
  std::uint64_t limits_ = 0;
};

/// Whether the columns that a summary looks at are all there and equally long.
bool can_summarise(const v3::Part& part, const v3::Container& container) {
  const auto length = part.snapshot.collectables.count();
  for (auto kind = static_cast<int>(v3::BlockKind::colkind);
       kind <= static_cast<int>(v3::BlockKind::colusize); ++kind) {
    const auto block = static_cast<v3::BlockKind>(kind);
    if (!part.is_whole(block) || container.blocks[part.block(block)].count != length) return false;
  }
  return true;
}

MvmheapV3Info::Snapshot describe(const v3::Part& part, const v3::Container& container) {
  MvmheapV3Info::Snapshot snapshot;
  snapshot.index = part.index;
  snapshot.meta = part.meta;
  snapshot.is_whole = part.is_whole_snapshot();
  snapshot.collectables = part.snapshot.collectables.count();
  snapshot.references = part.snapshot.references.count();
  if (can_summarise(part, container)) {
    const mvmheap::Summary summary = mvmheap::summarise(part.snapshot.collectables, part.after);
    std::copy_n(summary.kind_counts.begin(), snapshot.kinds.size(), snapshot.kinds.begin());
    snapshot.byte_count = summary.byte_count;
  }
  return snapshot;
}

std::uint64_t count_of(const MvmheapV3Info::Snapshot& snapshot, CollectableKind kind) {
  return snapshot.kinds[static_cast<std::size_t>(kind)];
}

void append_file(std::string& out, const MvmheapV3Info& info) {
  auto to = std::back_inserter(out);
  if (info.file_meta) {
    fmt::format_to(to, "  subversion:    {}\n  start time:    {} us (monotonic clock)\n",
                   info.file_meta->subversion, info.file_meta->start_time);
    if (info.file_meta->pid) fmt::format_to(to, "  process:       {}\n", *info.file_meta->pid);
  }
  fmt::format_to(to, "  run:           {}\n",
                 info.is_finished ? "closed" : "not closed (the process ended before, or the file is cut)");
  fmt::format_to(to, "  strings:       {}\n  types:         {}\n  static frames: {}\n", info.tables.strings,
                 info.tables.types, info.tables.static_frames);
}

void append_snapshots(std::string& out, const MvmheapV3Info& info) {
  auto to = std::back_inserter(out);
  fmt::format_to(to, "\n  {:>8} {:>12} {:>6} {:>12} {:>12} {:>10} {:>8} {:>8} {:>8} {:>14}\n", "snapshot",
                 "time us", "gc", "collectables", "references", "objects", "types", "STables", "frames",
                 "heap bytes");
  for (const auto& snapshot : info.snapshots) {
    const auto meta = snapshot.meta.value_or(v3::SnapshotMeta{});
    fmt::format_to(to, "  {:>8} {:>12} {:>6} {:>12} {:>12} {:>10} {:>8} {:>8} {:>8} {:>14}{}\n",
                   snapshot.index, meta.snap_time, meta.gc_seq_num, snapshot.collectables,
                   snapshot.references, count_of(snapshot, CollectableKind::object),
                   count_of(snapshot, CollectableKind::type_object),
                   count_of(snapshot, CollectableKind::stable), count_of(snapshot, CollectableKind::frame),
                   snapshot.byte_count, snapshot.is_whole ? "" : "  (not whole)");
  }
}

void append_blocks(std::string& out, const MvmheapV3Info& info) {
  auto to = std::back_inserter(out);
  fmt::format_to(to, "\n  {:<8} {:>5} {:>12} {:>12} {:>14} {:>6} {:>10}\n", "block", "part", "offset",
                 "bytes", "expanded", "entry", "count");
  for (const v3::Block& block : info.container.blocks) {
    fmt::format_to(to, "  {:<8} {:>5} {:>12} {:>12} {:>14} {:>6} {:>10}{}\n",
                   block.kind == v3::BlockKind::unknown ? "?" : v3::name_of(block.kind),
                   block.kind == v3::BlockKind::filemeta ? "" : fmt::to_string(block.part), block.span.offset,
                   block.span.length, block.expanded != 0 ? block.expanded : block.content.length,
                   block.entry_bytes != 0 ? fmt::to_string(block.entry_bytes) : "",
                   block.count != 0 ? fmt::to_string(block.count) : "", block.whole ? "" : "  (damaged)");
  }
}

void write_member(core::JsonWriter& json, std::string_view key, std::uint64_t value) {
  json.key(key);
  json.number(value);
}

void write_snapshot(core::JsonWriter& json, const MvmheapV3Info::Snapshot& snapshot) {
  json.begin_object();
  write_member(json, "index", snapshot.index);
  json.key("whole");
  json.boolean(snapshot.is_whole);
  if (snapshot.meta) {
    for (const auto& field : v3::snapshot_meta_fields)
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

void write_block(core::JsonWriter& json, const v3::Block& block) {
  json.begin_object();
  json.key("kind");
  json.string(block.kind == v3::BlockKind::unknown ? "?" : v3::name_of(block.kind));
  if (block.kind != v3::BlockKind::filemeta) write_member(json, "part", block.part);
  write_member(json, "offset", block.span.offset);
  write_member(json, "length", block.span.length);
  write_member(json, "expanded", block.expanded != 0 ? block.expanded : block.content.length);
  if (block.entry_bytes != 0) write_member(json, "entry_bytes", block.entry_bytes);
  write_member(json, "count", block.count);
  json.key("whole");
  json.boolean(block.whole);
  json.end_object();
}

}  // namespace

MvmheapV3Info read_mvmheap_v3_info(core::Window& window, const core::Limits& limits) {
  ErrorCounter counter;
  v3::Reader reader(window, limits, counter);
  MvmheapV3Info info;
  v3::Part part;
  while (reader.read_part(part)) {
    if (part.has_snapshot) info.snapshots.push_back(describe(part, reader.container()));
  }
  info.file_meta = reader.file_meta();
  info.container = reader.container();
  info.tables = reader.tables().counts();
  info.is_finished = reader.is_finished();
  info.errors = counter.errors();
  info.limits = counter.limits();
  return info;
}

void append_text(std::string& out, const MvmheapV3Info& info) {
  append_file(out, info);
  append_snapshots(out, info);
  append_blocks(out, info);
}

void write_json(core::JsonWriter& json, const MvmheapV3Info& info) {
  if (info.file_meta) {
    write_member(json, "subversion", info.file_meta->subversion);
    write_member(json, "start_time", info.file_meta->start_time);
    if (info.file_meta->pid) write_member(json, "pid", *info.file_meta->pid);
  }
  json.key("closed");
  json.boolean(info.is_finished);
  write_member(json, "strings", info.tables.strings);
  write_member(json, "types", info.tables.types);
  write_member(json, "static_frames", info.tables.static_frames);
  json.key("snapshots");
  json.begin_array();
  for (const auto& snapshot : info.snapshots) write_snapshot(json, snapshot);
  json.end_array();
  json.key("blocks");
  json.begin_array();
  for (const v3::Block& block : info.container.blocks) write_block(json, block);
  json.end_array();
}

}  // namespace heapcheck::cli
