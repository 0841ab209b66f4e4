// The summary of the legacy heap dumps of a trace.
#include <algorithm>
#include <ranges>
#include <unordered_set>

#include "analyze/summary/trace.hpp"
#include "formats/core/keyed_hash.hpp"

namespace heapcheck::analyze {
namespace {

namespace legacy = chrome::legacy;

/// The bytes from the first name of each event to its last one, plus the two braces.
std::uint64_t count_bytes(const legacy::Names& names) {
  std::uint64_t bytes = 2 * names.events.size();
  for (std::uint64_t i = 0; i < names.count(); ++i) {
    const bool follows = i != 0 && names.event[i - 1] == names.event[i];
    const std::uint64_t begin = follows ? names.offset[i - 1] + names.length[i - 1] : names.offset[i];
    bytes += names.offset[i] + names.length[i] - begin;
  }
  return bytes;
}

void add_frames(const legacy::Frames& frames, ProcessSummary& to) {
  std::unordered_set<core::PoolIndex, core::KeyedHash> names;
  std::unordered_set<legacy::FrameId, core::KeyedHash> parents;
  for (std::uint64_t i = 0; i < frames.count(); ++i) {
    names.insert(frames.name[i]);
    if (frames.parent[i] != legacy::empty_stack) parents.insert(frames.parent[i]);
  }
  const auto roots = static_cast<std::uint64_t>(std::ranges::count(frames.parent, legacy::empty_stack));
  const auto leaves = static_cast<std::uint64_t>(
      std::ranges::count_if(frames.id, [&](legacy::FrameId id) { return !parents.contains(id); }));
  const std::uint64_t values =
      member_values * (frames.count() + frames.count() + (frames.count() - roots)) - frames.count();
  to.stack_frames += {frames.count(), values, count_bytes(frames)};
  to.unique_frames += names.size();
  to.root_frames += roots;
  to.leaf_frames += leaves;
}

JsonSize measure(const legacy::Heap& heap) {
  const legacy::Entries& entries = heap.entries;
  JsonSize size{entries.row_count(), 0, heap.span.length};
  for (std::uint64_t i = 0; i < entries.row_count(); ++i) {
    const std::uint64_t members = std::uint64_t{entries.frame[i] != legacy::no_stack} +
                                  std::uint64_t{entries.type[i] != legacy::all_types} +
                                  std::uint64_t{entries.size[i] != legacy::no_value} +
                                  std::uint64_t{entries.count[i] != legacy::no_value};
    size.values += 1 + member_values * members;
  }
  return size;
}

HeapSummary describe(const legacy::Dump& dump, const legacy::Heap& heap, const DumpProcess& process) {
  HeapSummary row;
  row.pid = dump.head.pid.value_or(0);
  row.process = process;
  row.dump_id = dump.head.id;
  row.allocator = heap.allocator;
  row.rows = heap.entries.row_count();
  row.byte_count = heap.entries.total(heap.entries.size).value_or(0);
  row.objects = heap.entries.total(heap.entries.count);
  return row;
}

}  // namespace

void add_legacy(const formats::Trace& trace, TraceTally& tally) {
  for (const legacy::Process& process : trace.legacy.processes) {
    ProcessTally& to = tally.process(process.pid);
    to.type_names +=
        {process.types.count(), member_values * process.types.count(), count_bytes(process.types)};
    add_frames(process.frames, to);
    to.dumps += process.dumps.size();
    for (const legacy::Dump& dump : process.dumps) {
      for (const legacy::Heap& heap : dump.heaps) {
        to.heap(heap.allocator) += measure(heap);
        tally.heaps().push_back(describe(dump, heap, trace.find_process(dump.head)));
      }
    }
  }
}

}  // namespace heapcheck::analyze
