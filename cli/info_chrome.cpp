// heapcheck info for traces.
#include "cli/info.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "formats/core/text/counted.hpp"
#include "formats/core/text/excerpt.hpp"

namespace heapcheck::cli {
namespace {

constexpr std::size_t max_name = 60;  // bytes of a name to show

/// For people: `803 KiB`, `4.0 MiB`.
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

/// Appends sums for processes of the same name.
void append_totals(std::string& out, const TraceSummary& trace) {
  std::map<std::string, std::vector<const ProcessSummary*>> by_name;
  for (const ProcessSummary& process : trace.processes) by_name[name_of(process)].push_back(&process);
  auto to = std::back_inserter(out);
  std::uint64_t all = 0;
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
  fmt::format_to(to, "\n  {:>10} {:<12} {:<24} {:>10} {:>16} {:>14}\n", "process", "dump", "allocator",
                 "rows", "heap bytes", "objects");
  for (const HeapSummary& heap : trace.heaps) {
    fmt::format_to(to, "  {:>10} {:<12} {:<24} {:>10} {:>16} {:>14}\n", heap.pid,
                   core::make_excerpt(heap.dump_id, max_name), core::make_excerpt(heap.allocator, max_name),
                   heap.rows, heap.byte_count, heap.objects);
  }
}

void write_size(core::JsonWriter& json, std::string_view key, const JsonSize& size) {
  json.key(key);
  json.begin_object();
  write_numbers(json, {{"items", size.items}, {"total_items", size.values}, {"bytes", size.bytes}});
  json.end_object();
}

void write_process(core::JsonWriter& json, const ProcessSummary& process) {
  write_member(json, "pid", process.pid);
  write_member(json, "name", process.name);
  write_size(json, "type_names", process.type_names);
  write_size(json, "stack_frames", process.stack_frames);
  write_numbers(json, {{"unique_frames", process.unique_frames},
                       {"root_frames", process.root_frames},
                       {"leaf_frames", process.leaf_frames}});
  write_size(json, "strings", process.strings);
  write_member(json, "dumps", process.dumps);
  json.key("heaps");
  json.begin_object();
  for (const AllocatorSize& heap : process.heaps) write_size(json, heap.name, heap.size);
  json.end_object();
  write_size(json, "total", total_of(process));
}

void write_heap(core::JsonWriter& json, const HeapSummary& heap) {
  write_member(json, "pid", heap.pid);
  write_member(json, "dump", heap.dump_id);
  write_member(json, "allocator", heap.allocator);
  write_numbers(json, {{"rows", heap.rows}, {"heap_bytes", heap.byte_count}, {"objects", heap.objects}});
}

}  // namespace

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

}  // namespace heapcheck::cli
