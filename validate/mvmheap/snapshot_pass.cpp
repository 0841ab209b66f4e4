#include "validate/mvmheap/snapshot_pass.hpp"

#include <utility>

namespace heapcheck::validation::mvmheap {

namespace model = heapcheck::mvmheap;

void SnapshotPass::begin() {
  graph_ = GraphPass(least_);
  summary_ = model::SummaryBuilder(shares_);
  is_summed_ = true;
}

void SnapshotPass::take(model::Snapshot& snapshot) {
  if (needs_columns_) return;
  const model::References& references = snapshot.references;
  sum_up(snapshot, references.description.count() != 0 || references.target.count() != 0);
  graph_.advance(snapshot, false);
  demand_columns_unless(is_summed_ && !graph_.has_failed());
  if (forgets() && !needs_columns_) forget(snapshot);
}

void SnapshotPass::sum_up(const model::Snapshot& snapshot, bool is_at_end) {
  is_summed_ = is_summed_ && summary_.add(snapshot.collectables, is_at_end ? 1 : least_);
}

void SnapshotPass::forget(model::Snapshot& snapshot) {
  auto& [kind, index, size, unmanaged_size, starts, counts] = snapshot.collectables;
  size.forget(summary_.count());
  unmanaged_size.forget(summary_.count());
  if (!graph_.has_begun()) return;
  starts.forget(starts.count());
  snapshot.references.description.forget(graph_.descriptions_passed());
  snapshot.references.target.forget(graph_.targets_passed());
}

SnapshotFacts SnapshotPass::finish(model::Snapshot& snapshot, const model::TableCounts& known) {
  if (needs_columns_) return {};
  sum_up(snapshot, true);
  graph_.advance(snapshot, true);
  demand_columns_unless(is_summed_ && graph_.names() != nullptr);
  if (needs_columns_) return {};
  return {is_summed_ ? std::move(summary_).finish(known)
                     : model::summarise(snapshot.collectables, known, shares_),
          graph_.find_facts(snapshot)};
}

bool SnapshotPass::needs_columns(const model::Snapshot& snapshot) {
  const auto& [kind, type, size, unmanaged_size, starts, counts] = snapshot.collectables;
  const bool is_missed = size.is_missed() || unmanaged_size.is_missed() || starts.is_missed() ||
                         snapshot.references.description.is_missed() ||
                         snapshot.references.target.is_missed();
  demand_columns_unless(!is_missed);
  return needs_columns_;
}

bool are_enough(const SnapshotFacts& facts, const model::Snapshot& snapshot, std::uint64_t strings) {
  const GraphFacts& graph = facts.graph;
  const bool has_objects = facts.summary.count_of(model::CollectableKind::object) != 0;
  return graph.ranges_are_partition && graph.targets_are_inside && graph.all_are_reachable &&
         (graph.stable_name || !has_objects) && !facts.summary.has_bad_index &&
         !facts.summary.has_root_fields && snapshot.references.notes.hold(strings);
}

}  // namespace heapcheck::validation::mvmheap
