// Writes the part of `heapcheck info`'s output that describes the contents of each kind of file.
#include "cli/info.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "cli/output.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/core/text/excerpt.hpp"

namespace heapcheck::cli {
namespace {

/// The number that the file states for the snapshot under that name, or 0 if the file does not state it.
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
  json.member("index", snapshot.index);
  json.member("whole", snapshot.is_whole);
  for (const auto& [name, value] : snapshot.claims) json.member(name, value);
  write_numbers(json, {{"collectables", snapshot.collectables},
                       {"references", snapshot.references},
                       {"objects", snapshot.objects},
                       {"type_objects", snapshot.type_objects},
                       {"stables", snapshot.stables},
                       {"frames", snapshot.frames},
                       {"heap_bytes", snapshot.byte_count}});
}

void write_block(core::JsonWriter& json, const FileBlock& block) {
  json.member("kind", block.kind);
  if (block.part) json.member("part", *block.part);
  write_numbers(json,
                {{"offset", block.span.offset}, {"length", block.span.length}, {"expanded", block.expanded}});
  if (block.entry_bytes != 0) json.member("entry_bytes", block.entry_bytes);
  json.member("count", block.count);
  json.member("whole", block.is_whole);
}

constexpr std::size_t max_name = 60;  // the largest number of bytes of a name to show

/// Human-readable: `803 KiB`, `4.0 MiB`.
std::string in_units(std::uint64_t bytes) {
  constexpr std::uint64_t kib = 1024;
  if (bytes < kib) return core::counted(bytes, "byte");
  if (bytes < kib * kib) return fmt::format("{} KiB", bytes / kib);
  return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (kib * kib));
}

std::string describe(const JsonSize& size) {
  return fmt::format("{} ({} in total), {}", core::counted(size.items, "top-level item"), size.values,
                     in_units(size.bytes));
}

JsonSize heaps_of(const ProcessSummary& process) {
  JsonSize total;
  for (const AllocatorSize& heap : process.heaps) total += heap.size;
  return total;
}

JsonSize total_of(const ProcessSummary& process) {
  JsonSize total = heaps_of(process);
  total += process.type_names;
  total += process.stack_frames;
  total += process.strings;
  return total;
}

std::string name_of(const ProcessSummary& process) {
  return process.name.empty() ? "unnamed" : core::make_excerpt(process.name, max_name);
}

void append_process(std::string& out, const ProcessSummary& process) {
  auto to = std::back_inserter(out);
  fmt::format_to(to, "\n  process {} ({})\n", name_of(process), process.pid);
  fmt::format_to(to, "    type names:    {}\n    stack frames:  {}\n", describe(process.type_names),
                 describe(process.stack_frames));
  fmt::format_to(to, "      unique frames: {}\n      root frames:   {}\n      leaf frames:   {}\n",
                 process.unique_frames, process.root_frames, process.leaf_frames);
  if (process.strings.bytes != 0) fmt::format_to(to, "    strings:       {}\n", describe(process.strings));
  fmt::format_to(to, "    heaps ({}):\n", core::counted(process.dumps, "dump"));
  for (const AllocatorSize& heap : process.heaps)
    fmt::format_to(to, "      {}: {}\n", core::make_excerpt(heap.name, max_name), describe(heap.size));
  fmt::format_to(to, "    total:         {}\n", describe(total_of(process)));
}

/// Appends the totals for processes with the same name.
void append_totals(std::string& out, const TraceSummary& trace) {
  std::map<std::string, std::vector<const ProcessSummary*>> by_name;
  for (const ProcessSummary& process : trace.processes) by_name[name_of(process)].push_back(&process);
  auto to = std::back_inserter(out);
  std::uint64_t all = 0;
  // Chrome has a process for each tab, all with the same name.
  for (const auto& [name, processes] : by_name) {
    JsonSize types;
    JsonSize frames;
    JsonSize strings;
    JsonSize heaps;
    for (const ProcessSummary* process : processes) {
      types += process->type_names;
      frames += process->stack_frames;
      strings += process->strings;
      heaps += heaps_of(*process);
    }
    const std::uint64_t total = types.bytes + frames.bytes + strings.bytes + heaps.bytes;
    all += total;
    fmt::format_to(to, "\n  sizes for \"{}\" processes ({}): type names {}, stack frames {}, ", name,
                   processes.size(), in_units(types.bytes), in_units(frames.bytes));
    if (strings.bytes != 0) fmt::format_to(to, "strings {}, ", in_units(strings.bytes));
    fmt::format_to(to, "heaps {}, total {}", in_units(heaps.bytes), in_units(total));
  }
  fmt::format_to(to, "\n  grand total size: {}\n", in_units(all));
}

void append_heaps(std::string& out, const TraceSummary& trace) {
  auto to = std::back_inserter(out);
  fmt::format_to(to, "\n  {:>10} {:<12} {:<24} {:>10} {:>16} {:>14}  {}\n", "event pid", "dump", "allocator",
                 "rows", "heap bytes", "objects", "process");
  for (const HeapSummary& heap : trace.heaps) {
    fmt::format_to(to, "  {:>10} {:<12} {:<24} {:>10} {:>16} {:>14}  {}\n", heap.pid,
                   core::make_excerpt(heap.dump_id, max_name), core::make_excerpt(heap.allocator, max_name),
                   heap.rows, heap.byte_count, heap.objects ? fmt::to_string(*heap.objects) : "-",
                   core::make_excerpt(heap.process.name, max_name));
  }
}

void write_size(core::JsonWriter& json, std::string_view key, const JsonSize& size) {
  json.begin_object(key);
  write_numbers(json, {{"items", size.items}, {"total_items", size.values}, {"bytes", size.bytes}});
  json.end_object();
}

void write_process(core::JsonWriter& json, const ProcessSummary& process) {
  json.member("pid", process.pid);
  json.member("name", process.name);
  write_size(json, "type_names", process.type_names);
  write_size(json, "stack_frames", process.stack_frames);
  write_numbers(json, {{"unique_frames", process.unique_frames},
                       {"root_frames", process.root_frames},
                       {"leaf_frames", process.leaf_frames}});
  write_size(json, "strings", process.strings);
  json.member("dumps", process.dumps);
  json.begin_object("heaps");
  for (const AllocatorSize& heap : process.heaps) write_size(json, heap.name, heap.size);
  json.end_object();
  write_size(json, "total", total_of(process));
}

void write_heap(core::JsonWriter& json, const HeapSummary& heap) {
  json.member("pid", heap.pid);
  json.member("process", heap.process.name);
  json.key("process_pid");
  heap.process.pid ? json.number(*heap.process.pid) : json.null();
  json.member("dump", heap.dump_id);
  json.member("allocator", heap.allocator);
  write_numbers(json, {{"rows", heap.rows}, {"heap_bytes", heap.byte_count}});
  json.key("objects");
  heap.objects ? json.number(*heap.objects) : json.null();
}

/// The headings of a table; `width` is the width of the first column.
struct TableWords {
  std::string_view kind;
  std::string_view count;
  int width;
};
constexpr TableWords part_words{"part", "count", 13};
constexpr TableWords section_words{"section", "rows", 21};

std::string join(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + core::make_excerpt(name);
  return text;
}

void append_blocks(std::string& out, const std::vector<FileBlock>& blocks, const TableWords& words) {
  auto to = std::back_inserter(out);
  fmt::format_to(to, "\n  {:<{}} {:>12} {:>12} {:>10}\n", words.kind, words.width, "offset", "bytes",
                 words.count);
  for (const FileBlock& block : blocks)
    fmt::format_to(to, "  {:<{}} {:>12} {:>12} {:>10}\n", block.kind, words.width, block.span.offset,
                   block.span.length, block.count);
}

/// Returns a function that writes a row. The kind and the count of the row become members with these names.
auto make_block_writer(std::string_view kind, std::string_view count) {
  return [kind, count](core::JsonWriter& json, const FileBlock& block) {
    json.member(kind, block.kind);
    write_numbers(json, {{"offset", block.span.offset}, {"length", block.span.length}, {count, block.count}});
  };
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

void append_text(std::string& out, const TraceSummary& trace) {
  for (const ProcessSummary& process : trace.processes) append_process(out, process);
  if (trace.processes.empty()) return;
  append_totals(out, trace);
  append_heaps(out, trace);
}

void write_json(core::JsonWriter& json, const TraceSummary& trace) {
  write_rows(json, "processes", trace.processes, write_process);
  write_rows(json, "heaps", trace.heaps, write_heap);
}

void append_text(std::string& out, const ProfileSummary& profile) {
  append_blocks(out, profile.parts, part_words);
}

void append_text(std::string& out, const SnapshotSummary& snapshot) {
  for (const auto& [section, names] : snapshot.columns)
    fmt::format_to(std::back_inserter(out), "  {}: {}\n", section, join(names));
  append_blocks(out, snapshot.sections, section_words);
}

void write_json(core::JsonWriter& json, const ProfileSummary& profile) {
  write_rows(json, "parts", profile.parts, make_block_writer("kind", "count"));
}

void write_json(core::JsonWriter& json, const SnapshotSummary& snapshot) {
  json.begin_object("meta");
  for (const auto& [section, names] : snapshot.columns) {
    json.begin_array(section);
    for (const std::string& name : names) json.string(name);
    json.end_array();
  }
  json.end_object();
  write_rows(json, "sections", snapshot.sections, make_block_writer("name", "rows"));
}

}  // namespace heapcheck::cli
