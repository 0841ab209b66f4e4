#include "formats/read_trace.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "formats/chrome/dump_processes.hpp"
#include "formats/chrome/heaps_v2/reader.hpp"
#include "formats/chrome/legacy/reader.hpp"
#include "formats/chrome/process_maps.hpp"
#include "formats/chrome/process_names.hpp"
#include "formats/chrome/walker.hpp"

namespace heapcheck::formats {
namespace {

bool holds_dumps(const chrome::legacy::Model& model) {
  return std::ranges::any_of(model.processes,
                             [](const chrome::legacy::Process& process) { return !process.dumps.empty(); });
}

/// Whether the event that was walked last carries heaps.
bool has_heaps(const chrome::EventWalker& event) {
  return std::ranges::any_of(event.members(), [](const chrome::EventWalker::Member& member) {
    return member.payload == chrome::Payload::heaps || member.payload == chrome::Payload::heaps_v2;
  });
}

/// Decides which process each heap dump describes, and stores the result in the trace.
void find_dump_processes(chrome::ProcessMaps& maps, Trace& trace) {
  std::vector<chrome::DumpEvent> dumps;
  for (const chrome::legacy::Process& process : trace.legacy.processes) {
    for (const chrome::legacy::Dump& dump : process.dumps) dumps.push_back({&dump.head, true});
  }
  for (const chrome::heaps_v2::Dump& dump : trace.heaps_v2.dumps) dumps.push_back({&dump.head, false});
  const std::map<std::uint64_t, std::int64_t> by_maps = maps.find_processes();
  trace.dump_processes =
      chrome::decide_processes(dumps, {.by_maps = by_maps,
                                       .names = trace.process_names,
                                       .with_memory_dumps = trace.other_dumps.memory.processes});
}

}  // namespace

DumpProcess Trace::find_process(const chrome::EventHead& head) const {
  DumpProcess process{.name = "unknown process", .type = {}, .pid = {}, .dump = head.id};
  const auto pid = dump_processes.find(head.index);
  if (pid == dump_processes.end()) return process;
  process.pid = pid->second;
  const auto type = process_names.find(pid->second);
  if (type != process_names.end()) process.type = type->second;
  process.name =
      process.type.empty() ? std::to_string(pid->second) : process.type + ' ' + std::to_string(pid->second);
  return process;
}

Format Trace::format() const {
  const bool has_legacy = holds_dumps(legacy);
  if (has_legacy == !heaps_v2.dumps.empty()) return Format::chrome_trace;
  return has_legacy ? Format::chrome_legacy : Format::heaps_v2;
}

bool Trace::has_dumps() const { return holds_dumps(legacy) || !heaps_v2.dumps.empty(); }

std::string Trace::describe_lack() const { return chrome::describe(other_dumps, process_names); }

Trace read_trace(core::Window& window, const Limits& limits, core::FindingSink& sink) {
  chrome::legacy::LegacyReader legacy(limits);
  chrome::heaps_v2::HeapsV2Reader heaps_v2(limits);
  chrome::ProcessNames names;
  chrome::ProcessMaps maps(limits);
  const std::array<chrome::PayloadReader*, 4> readers{&legacy, &heaps_v2, &names, &maps};
  chrome::Walker walker(window, limits, readers, sink);
  chrome::OtherDumps other_dumps;
  while (walker.read_event()) {
    other_dumps.add(walker.event().head());
    if (has_heaps(walker.event())) maps.keep_heaps(walker.event().head().index);
  }
  legacy.model().threshold = chrome::find_breakdown_threshold(walker.container().config, limits);
  const bool lacks_memory = legacy.is_out_of_memory() || heaps_v2.is_out_of_memory();
  Trace trace{.container = walker.container(),
              .legacy = std::move(legacy.model()),
              .heaps_v2 = heaps_v2.take_model(),
              .process_names = names.names(),
              .lacks_memory = lacks_memory,
              .other_dumps = std::move(other_dumps),
              .dump_processes = {}};
  find_dump_processes(maps, trace);
  return trace;
}

}  // namespace heapcheck::formats
