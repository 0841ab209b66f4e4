// mvm.collectable.unreachable, in two steps: a proof that costs one pass over the references in
// files of real writers, and a search where it fails.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "formats/core/hot_loop.hpp"
#include "validate/mvmheap/reference_rules.hpp"

namespace heapcheck::validation::mvmheap {
namespace {

using model::Snapshot;

/// MoarVM numbers collectables when it first meets them and writes the references of each in one
/// go. So if first[i], the first place in the table that targets collectable i, lies before i's own
/// references, then i is reached from the owner of that place, that one from the owner of an
/// earlier place, and so on down to the root. Where this holds for all, all are reachable. One that
/// has no references of its own only has to be mentioned.
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

/// Searches from the root; one byte a collectable says whether it was reached.
std::vector<std::uint8_t> find_reached(const Snapshot& snapshot) {
  const auto targets = snapshot.references.target.narrow();
  const auto starts = snapshot.collectables.refs_start.narrow();
  const auto counts = snapshot.collectables.num_refs.narrow();
  std::vector<std::uint8_t> reached(counts.size());
  std::vector<std::uint32_t> waiting{0};
  reached[0] = 1;
  while (!waiting.empty()) {
    const std::uint32_t from = waiting.back();
    waiting.pop_back();
    for (const std::uint32_t target : targets.subspan(starts[from], counts[from])) {
      if (reached[target] != 0) continue;
      reached[target] = 1;
      waiting.push_back(target);
    }
  }
  return reached;
}

/// The first unreached collectable that no other unreached one refers to, so that its loss explains
/// the others; the first of all where they only refer to each other.
std::uint64_t find_topmost(const Snapshot& snapshot, const std::vector<std::uint8_t>& reached) {
  const auto targets = snapshot.references.target.narrow();
  std::vector<std::uint8_t> referred(reached.size());
  for (std::size_t from = 0; from < reached.size(); ++from) {
    if (reached[from] != 0) continue;
    for (const std::uint32_t target : targets.subspan(snapshot.collectables.refs_start.narrow()[from],
                                                      snapshot.collectables.num_refs.narrow()[from])) {
      if (target != from) referred[target] = 1;
    }
  }
  std::uint64_t first = reached.size();
  for (std::size_t i = reached.size(); i-- > 0;) {
    if (reached[i] == 0 && referred[i] == 0) first = i;
  }
  if (first != reached.size()) return first;
  return static_cast<std::uint64_t>(std::ranges::find(reached, 0) - reached.begin());
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
  // From the last to the first, as each note overwrites the one before: no note waits for another.
  for (std::size_t i = targets.size(); i-- > 0;) mentions.first[targets[i]] = static_cast<std::uint32_t>(i);
  return mentions;
}

void check_reachability(const SnapshotView& view, const Mentions& mentions, core::FindingSink& sink) {
  const Snapshot& snapshot = view.snapshot;
  if (snapshot.collectables.count() == 0 || is_reachable_in_order(snapshot, mentions)) return;
  const auto reached = find_reached(snapshot);
  const auto lost = static_cast<std::uint64_t>(std::ranges::count(reached, 0));
  if (lost == 0) return;
  const std::uint64_t topmost = find_topmost(snapshot, reached);
  Location location = view.locate(Field::reference_target, 0);  // where a reference to it is missing
  location.content.reset();
  location.path = fmt::format("/snapshots/{}/collectables/{}", view.index, topmost);
  sink.report({&rules::collectable_unreachable, std::move(location),
               lost == 1
                   ? std::string("collectable cannot be reached from the root, every one must be")
                   : fmt::format("collectable and {} more cannot be reached from the root, every one must be",
                                 lost - 1)});
}

}  // namespace heapcheck::validation::mvmheap
