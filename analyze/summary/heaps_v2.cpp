// The summary of the heaps_v2 dumps of a trace.
#include <set>

#include "analyze/summary/trace.hpp"
#include "formats/chrome/heaps_v2/scope.hpp"
#include "formats/core/checked.hpp"

namespace heapcheck::analyze {
namespace {

namespace v2 = chrome::heaps_v2;
using v2::HeapColumn;

/// Adds the frames of the dump to which `scope` refers, and their names.
void add_nodes(const v2::Dump& dump, const v2::Scope& scope, ProcessSummary& to,
               std::set<core::PoolIndex>& names) {
  const v2::NodeMap& nodes = dump.nodes;
  const std::set<std::uint64_t> parents(nodes.parent.begin(), nodes.parent.end());
  for (std::size_t i = 0; i < nodes.id.size(); ++i) {
    if (const auto name = scope.find_name(nodes, i)) names.insert(*name);
    const bool has_parent = nodes.parent[i] != v2::no_id;
    const bool is_root = !has_parent || !scope.find(v2::MapKind::nodes, nodes.parent[i]);
    to.stack_frames.values += 1 + member_values * (has_parent ? 3 : 2);
    to.root_frames += is_root ? 1 : 0;
    to.leaf_frames += parents.contains(nodes.id[i]) ? 0 : 1;
  }
  to.stack_frames.items += nodes.id.size();
  to.stack_frames.bytes += nodes.span.length;
}

void add_maps(const v2::Dump& dump, ProcessSummary& to) {
  const std::uint64_t types = dump.types.id.size();
  const std::uint64_t strings = dump.strings.id.size();
  to.type_names += {types, types * (1 + 2 * member_values), dump.types.span.length};
  to.strings += {strings, strings * (1 + 2 * member_values), dump.strings.span.length};
}

JsonSize measure(const v2::Heap& heap) {
  JsonSize size{heap[HeapColumn::sizes].values.size(), 0, heap.span.length};
  for (const v2::NumberColumn& column : heap.columns) {
    if (column.is_present) size.values += member_values - 1 + 2 * column.values.size();
  }
  return size;
}

HeapSummary describe(const v2::Dump& dump, const v2::Heap& heap, const DumpProcess& process) {
  HeapSummary row;
  row.pid = dump.head.pid.value_or(0);
  row.process = process;
  row.dump_id = dump.head.id;
  row.allocator = heap.allocator;
  row.rows = heap[HeapColumn::sizes].values.size();
  row.byte_count = core::saturating_sum(heap[HeapColumn::sizes].values);
  row.objects = core::saturating_sum(heap[HeapColumn::counts].values);
  return row;
}

}  // namespace

void add_heaps_v2(const formats::Trace& trace, TraceTally& tally) {
  const v2::Model& model = trace.heaps_v2;
  for (const auto& [pid, dumps] : v2::find_processes(model)) {
    ProcessTally& to = tally.process(pid);
    v2::Scope scope(model);
    std::set<core::PoolIndex> names;
    for (const std::uint32_t place : dumps) {
      const v2::Dump& dump = model.dumps[place];
      scope.enter(place);
      add_nodes(dump, scope, to, names);
      add_maps(dump, to);
      ++to.dumps;
      for (const v2::Heap& heap : dump.heaps) to.heap(heap.allocator) += measure(heap);
    }
    to.unique_frames += names.size();
  }
  for (const v2::Dump& dump : model.dumps) {
    for (const v2::Heap& heap : dump.heaps)
      tally.heaps().push_back(describe(dump, heap, trace.find_process(dump.head)));
  }
}

}  // namespace heapcheck::analyze
