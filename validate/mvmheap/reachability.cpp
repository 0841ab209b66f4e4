// Checks mvm.collectable.unreachable by following the references, unless a pass has proved that all
// collectables can be reached.
#include <fmt/format.h>

#include "graph/reach.hpp"
#include "validate/mvmheap/rules.hpp"

namespace heapcheck::validation::mvmheap {
namespace {

using model::Snapshot;

/// Returns a function from a collectable to its targets. All ranges must be valid. Borrows the snapshot.
auto targets_by_collectable(const Snapshot& snapshot) {
  return [targets = snapshot.references.target.narrow(), starts = snapshot.collectables.refs_start.narrow(),
          counts = snapshot.collectables.num_refs.narrow()](std::uint64_t index) {
    const auto i = static_cast<std::size_t>(index);
    return targets.subspan(starts[i], counts[i]);
  };
}

/// Returns the first unreachable collectable to which no other unreachable collectable refers, because its
/// loss explains the loss of the others. If there is none, returns the first unreachable collectable.
std::uint64_t find_topmost(const Snapshot& snapshot, const graph::NodeSet& reached) {
  const auto targets_of = targets_by_collectable(snapshot);
  graph::NodeSet explained = reached;
  for (std::uint64_t from = 0; from < reached.size(); ++from) {
    if (reached.has(from)) continue;
    for (const std::uint32_t target : targets_of(from)) {
      if (target != from) explained.add(target);
    }
  }
  const std::uint64_t first = explained.find_missing();
  return first != reached.size() ? first : reached.find_missing();
}

}  // namespace

void check_reachability(const SnapshotView& view, core::FindingSink& sink) {
  const Snapshot& snapshot = view.snapshot;
  if (snapshot.collectables.count() == 0 || view.facts.all_are_reachable) return;
  graph::EdgesByNode references(snapshot.collectables.count(), targets_by_collectable(snapshot));
  const graph::NodeSet reached = graph::find_reachable(references);
  const std::uint64_t lost = reached.size() - reached.count();
  if (lost == 0) return;
  const std::uint64_t topmost = find_topmost(snapshot, reached);
  Location location = view.locate(Field::reference_target, 0);  // where the missing reference should be
  location.content.reset();
  location.path = fmt::format("/snapshots/{}/collectables/{}", view.index, topmost);
  sink.report(
      {&rules::collectable_unreachable, std::move(location),
       lost == 1
           ? std::string(
                 "collectable cannot be reached from the root, expected every collectable to be reachable")
           : fmt::format("collectable and {} more cannot be reached from the root, expected every "
                         "collectable to be reachable",
                         lost - 1)});
}

}  // namespace heapcheck::validation::mvmheap
