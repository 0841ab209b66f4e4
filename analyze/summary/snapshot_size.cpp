#include "analyze/summary/snapshot_size.hpp"

#include "formats/core/checked.hpp"
#include "formats/mvmheap/summary.hpp"

namespace heapcheck::analyze {

SnapshotSize measure(const mvmheap::Part& part) {
  const mvmheap::Snapshot& snapshot = part.snapshot;
  SnapshotSize size{.nodes = snapshot.collectables.count(), .edges = snapshot.references.count()};
  if (part.has_whole_graph)
    size.bytes = mvmheap::summarise(snapshot.collectables, part.after, mvmheap::Shares::none).byte_count;
  return size;
}

SnapshotSize measure(const v8::heapsnapshot::Snapshot& snapshot) {
  using v8::heapsnapshot::Section;
  SnapshotSize size{.nodes = snapshot.table(Section::nodes).row_count(),
                    .edges = snapshot.table(Section::edges).row_count()};
  if (const auto* sizes = snapshot.find_column(Section::nodes, "self_size")) size.bytes = sum_of(*sizes);
  return size;
}

SnapshotSize measure(const v8::heapprofile::Reading& reading) {
  const auto& nodes = reading.profile.nodes;
  return {.nodes = nodes.count(),
          .edges = nodes.count() == 0 ? 0 : nodes.count() - 1,
          .bytes = core::saturating_sum(nodes.self_size)};
}

SnapshotSize measure(const chrome::legacy::Dump& dump) {
  SnapshotSize size;
  for (const chrome::legacy::Heap& heap : dump.heaps) {
    size.nodes += heap.entries.row_count();
    size.bytes = core::saturating_add(size.bytes, heap.entries.total(heap.entries.size).value_or(0));
  }
  return size;
}

SnapshotSize measure(const chrome::heaps_v2::Dump& dump) {
  SnapshotSize size;
  for (const chrome::heaps_v2::Heap& heap : dump.heaps) {
    const auto& sizes = heap[chrome::heaps_v2::HeapColumn::sizes].values;
    size.nodes += sizes.size();
    size.bytes = core::saturating_add(size.bytes, core::saturating_sum(sizes));
  }
  return size;
}

}  // namespace heapcheck::analyze
