// Checks mvm.collectable.unreachable in two steps: a proof that needs one pass over the references and
// succeeds for the files of real writers, and a search if the proof fails.
#include <fmt/format.h>

#include "formats/core/hot_loop.hpp"
#include "graph/reach.hpp"
#include "validate/mvmheap/reference_rules.hpp"

namespace heapcheck::validation::mvmheap {
namespace {

using model::Snapshot;

/// MoarVM numbers collectables when it first meets them and writes the references of each in one
/// go. So if first[i], the first reference to collectable i, comes before i's own references, then i
/// is reached from the owner of that reference, which is reached from the owner of an earlier one,
/// and so on back to the root. If this is true for all collectables, all are reachable. For a collectable
/// without references of its own, any reference to it is enough.
HEAPCHECK_HOT_LOOP bool is_reachable_in_order(const Snapshot& snapshot, const Mentions& mentions) {
  if (mentions.has_outside) return false;
  const auto starts = snapshot.collectables.refs_start.narrow();
  const auto counts = snapshot.collectables.num_refs.narrow();
  std::uint32_t late = 0;
  for (std::size_t i = 1; i < counts.size(); ++i) {
    const std::uint32_t end = counts[i] != 0 ? starts[i] : Mentions::never;
    late |= static_cast<std::uint32_t>(mentions.first[i] >= end);
  }
  return late == 0;
}

/// Returns a function from a collectable to its targets. All ranges must be valid. Borrows the snapshot.
auto targets_by_collectable(const Snapshot& snapshot) {
  return [targets = snapshot.references.target.narrow(), starts = snapshot.collectables.refs_start.narrow(),
          counts = snapshot.collectables.num_refs.narrow()](std::uint64_t index) {
    const auto i = static_cast<std::size_t>(index);
    return targets.subspan(starts[i], counts[i]);
  };
}

/// Returns the first unreachable collectable that no other unreachable one refers to, because its loss
/// explains the others. If there is none, returns the first unreachable collectable.
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

Mentions find_mentions(const Snapshot& snapshot) {
  const auto targets = snapshot.references.target.narrow();
  const auto collectables = static_cast<std::uint32_t>(snapshot.collectables.count());
  Mentions mentions;
  mentions.has_outside =
      !snapshot.references.target.is_narrow() || snapshot.references.target.narrow_bound() >= collectables;
  if (mentions.has_outside) return mentions;
  mentions.first.assign(collectables, Mentions::never);
  // Runs backwards, so that the first reference overwrites later ones and no iteration has to read a value
  // that an earlier one wrote.
  for (std::size_t i = targets.size(); i-- > 0;) mentions.first[targets[i]] = static_cast<std::uint32_t>(i);
  return mentions;
}

void check_reachability(const SnapshotView& view, const Mentions& mentions, core::FindingSink& sink) {
  const Snapshot& snapshot = view.snapshot;
  if (snapshot.collectables.count() == 0 || is_reachable_in_order(snapshot, mentions)) return;
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
