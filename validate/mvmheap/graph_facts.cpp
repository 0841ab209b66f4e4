#include "validate/mvmheap/graph_facts.hpp"

#include <algorithm>

#include "formats/core/checked.hpp"
#include "validate/mvmheap/graph_pass.hpp"

namespace heapcheck::validation::mvmheap {

namespace model = heapcheck::mvmheap;
using model::CollectableKind;
using model::Snapshot;

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

SnapshotFacts find_facts(const Snapshot& snapshot, const model::TableCounts& known, model::Shares shares) {
  GraphPass pass;
  pass.advance(snapshot, true);
  return {model::summarise(snapshot.collectables, known, shares), pass.find_facts(snapshot)};
}

}  // namespace heapcheck::validation::mvmheap
