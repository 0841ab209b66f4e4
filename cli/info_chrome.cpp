#include "cli/info_chrome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "formats/core/excerpt.hpp"
#include "formats/read_trace.hpp"

namespace heapcheck::cli {
namespace {

constexpr std::size_t max_name = 60;  // bytes of a name that are shown

/// As people read it: `803 KiB`, `4.0 MiB`.
std::string in_units(std::uint64_t bytes) {
  constexpr std::uint64_t kib = 1024;
  if (bytes < kib) return fmt::format("{} bytes", bytes);
  if (bytes < kib * kib) return fmt::format("{} KiB", bytes / kib);
  return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (kib * kib));
}

std::string describe(const JsonSize& size) {
  return fmt::format("{} top level items ({} total), {}", size.items, size.values, in_units(size.bytes));
}

JsonSize heaps_of(const ChromeInfo::Process& process) {
  JsonSize total;
  for (const ChromeInfo::Allocator& heap : process.heaps) total += heap.size;
  return total;
}

JsonSize total_of(const ChromeInfo::Process& process) {
  JsonSize total = heaps_of(process);
  total += process.type_names;
  total += process.stack_frames;
  total += process.strings;
  return total;
}

std::string name_of(const ChromeInfo::Process& process) {
  return process.name.empty() ? "unnamed" : core::make_excerpt(process.name, max_name);
}

void append_process(std::string& out, const ChromeInfo::Process& process) {
  auto to = std::back_inserter(out);
  fmt::format_to(to, "\n  process {} ({})\n", name_of(process), process.pid);
  fmt::format_to(to, "    type names:    {}\n    stack frames:  {}\n", describe(process.type_names),
                 describe(process.stack_frames));
  fmt::format_to(to, "      unique frames: {}\n      root frames:   {}\n      leaf frames:   {}\n",
                 process.unique_frames, process.root_frames, process.leaf_frames);
  if (process.strings.bytes != 0) fmt::format_to(to, "    strings:       {}\n", describe(process.strings));
  fmt::format_to(to, "    heaps ({} dumps):\n", process.dumps);
  for (const ChromeInfo::Allocator& heap : process.heaps)
    fmt::format_to(to, "      {}: {}\n", core::make_excerpt(heap.name, max_name), describe(heap.size));
  fmt::format_to(to, "    total:         {}\n", describe(total_of(process)));
}

/// Sums over processes of the same name.
void append_totals(std::string& out, const ChromeInfo& info) {
  std::map<std::string, std::vector<const ChromeInfo::Process*>> by_name;
  for (const ChromeInfo::Process& process : info.processes) by_name[name_of(process)].push_back(&process);
  auto to = std::back_inserter(out);
  std::uint64_t all = 0;
  for (const auto& [name, processes] : by_name) {
    JsonSize types;
    JsonSize frames;
    JsonSize strings;
    JsonSize heaps;
    for (const ChromeInfo::Process* process : processes) {
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

void append_heaps(std::string& out, const ChromeInfo& info) {
  auto to = std::back_inserter(out);
  fmt::format_to(to, "\n  {:>10} {:<12} {:<24} {:>10} {:>16} {:>14}\n", "process", "dump", "allocator",
                 "rows", "heap bytes", "objects");
  for (const ChromeInfo::Heap& heap : info.heaps) {
    fmt::format_to(to, "  {:>10} {:<12} {:<24} {:>10} {:>16} {:>14}\n", heap.pid,
                   core::make_excerpt(heap.dump_id, max_name), core::make_excerpt(heap.allocator, max_name),
                   heap.rows, heap.byte_count, heap.objects);
  }
}

void write_member(core::JsonWriter& json, std::string_view key, std::uint64_t value) {
  json.key(key);
  json.number(value);
}

void write_member(core::JsonWriter& json, std::string_view key, std::string_view value) {
  json.key(key);
  json.string(value);
}

void write_size(core::JsonWriter& json, std::string_view key, const JsonSize& size) {
  json.key(key);
  json.begin_object();
  write_member(json, "items", size.items);
  write_member(json, "total_items", size.values);
  write_member(json, "bytes", size.bytes);
  json.end_object();
}

void write_process(core::JsonWriter& json, const ChromeInfo::Process& process) {
  json.begin_object();
  json.key("pid");
  json.number(process.pid);
  write_member(json, "name", process.name);
  write_size(json, "type_names", process.type_names);
  write_size(json, "stack_frames", process.stack_frames);
  write_member(json, "unique_frames", process.unique_frames);
  write_member(json, "root_frames", process.root_frames);
  write_member(json, "leaf_frames", process.leaf_frames);
  write_size(json, "strings", process.strings);
  write_member(json, "dumps", process.dumps);
  json.key("heaps");
  json.begin_object();
  for (const ChromeInfo::Allocator& heap : process.heaps) write_size(json, heap.name, heap.size);
  json.end_object();
  write_size(json, "total", total_of(process));
  json.end_object();
}

void write_heap(core::JsonWriter& json, const ChromeInfo::Heap& heap) {
  json.begin_object();
  json.key("pid");
  json.number(heap.pid);
  write_member(json, "dump", heap.dump_id);
  write_member(json, "allocator", heap.allocator);
  write_member(json, "rows", heap.rows);
  write_member(json, "heap_bytes", heap.byte_count);
  write_member(json, "objects", heap.objects);
  json.end_object();
}

template <class Row, class Write>
void write_rows(core::JsonWriter& json, std::string_view key, const std::vector<Row>& rows, Write write) {
  json.key(key);
  json.begin_array();
  for (const Row& row : rows) write(json, row);
  json.end_array();
}

}  // namespace

JsonSize& ChromeInfo::Process::heap(const std::string& allocator) {
  const auto [place, is_new] = places_.emplace(allocator, heaps.size());
  if (is_new) heaps.push_back({allocator, {}});
  return heaps[place->second].size;
}

ChromeInfo::Process& ChromeInfo::process(std::int64_t pid) {
  const auto [place, is_new] = places_.emplace(pid, processes.size());
  if (is_new) processes.emplace_back().pid = pid;
  return processes[place->second];
}

void ChromeInfo::append_text(std::string& out) const {
  fmt::format_to(std::back_inserter(out), "  container:     {}\n  events:        {}\n",
                 container.is_object     ? "object"
                 : container.is_unclosed ? "array, not closed"
                                         : "array",
                 container.event_count);
  for (const Process& process : processes) append_process(out, process);
  if (processes.empty()) return;
  append_totals(out, *this);
  append_heaps(out, *this);
}

void ChromeInfo::write_json(core::JsonWriter& json) const {
  write_member(json, "container", container.is_object ? "object" : "array");
  json.key("closed");
  json.boolean(!container.is_unclosed);
  write_member(json, "events", container.event_count);
  write_rows(json, "processes", processes, write_process);
  write_rows(json, "heaps", heaps, write_heap);
}

std::unique_ptr<Info> read_chrome_info(core::Window& window, const Limits& limits) {
  auto info = std::make_unique<ChromeInfo>();
  ErrorCounter counter(*info);
  const formats::Trace trace = formats::read_trace(window, limits, counter);
  info->format = trace.format();
  info->is_foreign = trace.container.is_foreign;
  info->byte_count = window.offset();
  info->container = trace.container;
  add_legacy(trace.legacy, *info);
  add_heaps_v2(trace.heaps_v2, *info);
  for (ChromeInfo::Process& process : info->processes) {
    const auto name = trace.process_names.find(process.pid);
    if (name != trace.process_names.end()) process.name = name->second;
  }
  return info;
}

}  // namespace heapcheck::cli
