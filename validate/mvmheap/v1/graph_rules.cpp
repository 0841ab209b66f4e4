#include "validate/mvmheap/v1/graph_rules.hpp"

#include <fmt/format.h>

#include "formats/core/checked.hpp"
#include "formats/core/counted.hpp"

namespace heapcheck::validation::mvmheap::v1 {
namespace {

/// The sum of num_refs for all collectables, at most 2^64 - 1.
std::uint64_t sum_counts(const model::Column<std::uint32_t>& counts) {
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < counts.count(); ++i) sum = core::saturating_add(sum, counts[i]);
  return sum;
}

/// The number of ranges and targets that are outside their lists.
std::uint64_t count_outside(const model::Snapshot& snapshot) {
  const auto& [kind, index, size, unmanaged_size, starts, counts] = snapshot.collectables;
  const auto& targets = snapshot.references.target;
  std::uint64_t outside = 0;
  for (std::uint64_t i = 0; i < counts.count(); ++i) {
    outside += counts[i] != 0 && !core::is_inside(starts[i], counts[i], targets.count()) ? 1 : 0;
  }
  for (std::uint64_t i = 0; i < targets.count(); ++i) outside += targets[i] >= counts.count() ? 1 : 0;
  return outside;
}

}  // namespace

bool check_reference_count(const SnapshotView& view, Span place, core::FindingSink& sink) {
  const std::uint64_t expected = sum_counts(view.snapshot.collectables.num_refs);
  const std::uint64_t count = view.snapshot.references.count();
  if (expected == count || count_outside(view.snapshot) < 2) return true;
  sink.report({&rules::references_count,
               {place, std::nullopt, fmt::format("/snapshots/{}/references", view.index)},
               fmt::format("list has {}, expected {}, the sum of num_refs", core::counted(count, "reference"),
                           expected)});
  return false;
}

void check_sizes(const SnapshotView& view, core::FindingSink& sink) {
  const auto& sizes = view.snapshot.collectables.size;
  if (sizes.is_narrow()) return;
  report_each(
      sizes.count(), rules::collectables_size, sink, [&](std::uint64_t i) { return sizes[i] > UINT16_MAX; },
      [&](std::uint64_t i) {
        return Finding{&rules::collectables_size, view.locate(Field::collectable_size, i),
                       fmt::format("size is {}, expected at most 65535", sizes[i])};
      });
}

}  // namespace heapcheck::validation::mvmheap::v1
