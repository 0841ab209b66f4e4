#include "validate/mvmheap/graph_facts.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "formats/core/checked.hpp"
#include "formats/core/hot_loop.hpp"
#include "formats/core/threads/parallel.hpp"

namespace heapcheck::validation::mvmheap {
namespace {

namespace model = heapcheck::mvmheap;
using model::CollectableKind;
using model::Snapshot;

constexpr std::uint32_t never = UINT32_MAX;

bool has_narrow_graph(const Snapshot& snapshot) {
  return snapshot.collectables.refs_start.is_narrow() && snapshot.collectables.num_refs.is_narrow() &&
         snapshot.references.target.is_narrow() && snapshot.references.count() < never;
}

/// Whether every range is inside the table. Makes one pass without branches.
HEAPCHECK_HOT_LOOP bool are_ranges_inside(const model::Collectables& collectables, std::uint64_t references) {
  const auto starts = collectables.refs_start.narrow();
  const auto counts = collectables.num_refs.narrow();
  const auto table = static_cast<std::uint32_t>(references);
  std::uint32_t wrong = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::uint32_t count = counts[i];
    wrong |=
        static_cast<std::uint32_t>(count > table) | static_cast<std::uint32_t>(starts[i] > table - count);
  }
  return wrong == 0;
}

/// Returns whether the non-empty ranges form an exact partition of [0, references). Think of a range as an
/// edge from its start to its end. If an odd number of edges meet at 0 and at the table's end, and an even
/// number everywhere else, then there is a path of edges from 0 to the end that covers the table. If the
/// lengths also add up to the table's length, the path never turns back and no range is left over.
bool is_partition(const model::Collectables& collectables, std::uint64_t references) {
  const auto starts = collectables.refs_start.narrow();
  const auto counts = collectables.num_refs.narrow();
  // The positions at which an odd number of ranges start, and the positions at which an odd number end. There
  // are two arrays because a range often ends where the previous one started: with a single array, the loop
  // would have to wait until that word was written. Empty ranges cancel out.
  std::vector<std::uint32_t> started(references / 32 + 1);
  std::vector<std::uint32_t> ended(references / 32 + 1);
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::uint64_t end = std::uint64_t{starts[i]} + counts[i];
    started[starts[i] / 32] ^= 1U << (starts[i] % 32);
    ended[end / 32] ^= 1U << (end % 32);
    total += counts[i];
  }
  started[references / 32] ^= 1U << (references % 32);
  ended[0] ^= 1;
  return total == references && started == ended;
}

void pass_over_ranges(const Snapshot& snapshot, GraphFacts& facts) {
  const std::uint64_t references = snapshot.references.count();
  if (!has_narrow_graph(snapshot)) return;
  facts.ranges_are_inside = are_ranges_inside(snapshot.collectables, references);
  facts.ranges_are_partition = facts.ranges_are_inside && is_partition(snapshot.collectables, references);
}

/// For each collectable, the first reference to it, or `never`.
using FirstMentions = core::LargeArray<std::uint32_t>;

/// Runs backwards, so that the first reference overwrites later ones and no iteration reads a value written
/// by an earlier iteration.
FirstMentions find_first_mentions(const Snapshot& snapshot) {
  const auto targets = snapshot.references.target.narrow();
  FirstMentions first;
  first.assign(snapshot.collectables.count(), never);
  for (std::size_t i = targets.size(); i-- > 0;) first[targets[i]] = static_cast<std::uint32_t>(i);
  return first;
}

/// MoarVM numbers collectables when it first encounters them, and writes all references of a collectable
/// together. So, if first[i], the first reference to collectable i, comes before i's own references, then i
/// can be reached from the owner of that reference, that owner can be reached from the owner of an earlier
/// reference, and so on back to the root. If this is true for all collectables, all of them are reachable.
/// For a collectable without references of its own, any reference to it is sufficient.
HEAPCHECK_HOT_LOOP bool is_reachable_in_order(const model::Collectables& collectables,
                                              const FirstMentions& first) {
  const auto starts = collectables.refs_start.narrow();
  const auto counts = collectables.num_refs.narrow();
  std::uint32_t late = 0;
  for (std::size_t i = 1; i < counts.size(); ++i) {
    const std::uint32_t end = counts[i] != 0 ? starts[i] : never;
    late |= static_cast<std::uint32_t>(first[i] >= end);
  }
  return late == 0;
}

void pass_over_targets(const Snapshot& snapshot, GraphFacts& facts) {
  const std::uint64_t collectables = snapshot.collectables.count();
  const auto& targets = snapshot.references.target;
  facts.targets_are_inside =
      targets.is_narrow() && (targets.count() == 0 || targets.narrow_bound() < collectables);
  if (!facts.targets_are_inside || !has_narrow_graph(snapshot)) return;
  facts.all_are_reachable = is_reachable_in_order(snapshot.collectables, find_first_mentions(snapshot));
}

HEAPCHECK_HOT_LOOP std::uint64_t count_values(std::span<const std::uint32_t> values, std::uint32_t wanted) {
  std::uint64_t count = 0;
  for (const std::uint32_t value : values) count += value == wanted ? 1 : 0;
  return count;
}

/// Whether each object and type object has one reference with this description, which leads to an STable of
/// its type, and no other reference has this description. Only the first two references of each collectable
/// are examined, because MoarVM writes at most one other reference first, namely the one to the serialization
/// context.
bool have_stables(const Snapshot& snapshot, std::uint32_t description) {
  const auto kinds = snapshot.collectables.kind.narrow();
  const auto types = snapshot.collectables.type_or_frame_index.narrow();
  const auto starts = snapshot.collectables.refs_start.narrow();
  const auto counts = snapshot.collectables.num_refs.narrow();
  const auto descriptions = snapshot.references.description.narrow();
  const auto targets = snapshot.references.target.narrow();
  std::uint64_t owners = 0;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (!model::is_typed_kind(kinds[i]) || kinds[i] == stable_kind) continue;
    std::uint64_t reference = starts[i];
    if (counts[i] == 0 || reference >= targets.size()) return false;
    // The reference to the serialization context, if there is one, comes first.
    if (descriptions[reference] != description && counts[i] > 1 && reference + 1 < targets.size())
      ++reference;
    const std::uint32_t stable = targets[reference];
    if (descriptions[reference] != description || stable >= kinds.size() || kinds[stable] != stable_kind ||
        types[stable] != types[i])
      return false;
    ++owners;
  }
  return owners == count_values(descriptions, description);
}

void pass_over_stables(const Snapshot& snapshot, GraphFacts& facts) {
  const model::Collectables& collectables = snapshot.collectables;
  const auto name = guess_stable_name(snapshot);
  const bool is_narrow = has_narrow_graph(snapshot) && collectables.kind.is_narrow() &&
                         collectables.type_or_frame_index.is_narrow() &&
                         snapshot.references.description.is_narrow();
  if (!name || !is_narrow) return;
  if (have_stables(snapshot, static_cast<std::uint32_t>(*name << kind_bits | string_reference)))
    facts.stable_name = name;
}

}  // namespace

std::optional<std::uint64_t> guess_stable_name(const Snapshot& snapshot) {
  const auto& [kinds, indices, size, unmanaged_size, starts, counts] = snapshot.collectables;
  const auto& references = snapshot.references;
  std::uint64_t left = references.count();  // limits the search time even if ranges overlap
  for (std::uint64_t i = 0; i < kinds.count() && left != 0; ++i) {
    if (kinds[i] != static_cast<std::uint64_t>(CollectableKind::object)) continue;
    const std::uint64_t end = std::min(core::saturating_add(starts[i], counts[i]), references.count());
    for (std::uint64_t r = starts[i]; r < end && left != 0; ++r, --left) {
      const bool is_named = (references.description[r] & ((1U << kind_bits) - 1)) == string_reference;
      const std::uint64_t node = references.target[r];
      if (is_named && node < kinds.count() && kinds[node] == stable_kind)
        return references.description[r] >> kind_bits;
    }
  }
  return std::nullopt;
}

SnapshotFacts find_facts(const Snapshot& snapshot, const model::TableCounts& known, model::Shares shares,
                         unsigned threads, const std::function<void()>& other) {
  SnapshotFacts facts;
  std::vector<std::function<void()>> passes{
      [&] { pass_over_targets(snapshot, facts.graph); }, [&] { pass_over_stables(snapshot, facts.graph); },
      [&] { pass_over_ranges(snapshot, facts.graph); },
      [&] { facts.summary = model::summarise(snapshot.collectables, known, shares); }};
  if (other) passes.push_back(other);
  core::run_parallel(threads, passes.size(), [&](std::size_t i) { passes[i](); });
  if (!facts.graph.ranges_are_partition) facts.graph.stable_name.reset();
  return facts;
}

}  // namespace heapcheck::validation::mvmheap
