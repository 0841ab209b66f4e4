#include "validate/mvmheap/v1/graph_rules.hpp"

#include <fmt/format.h>

#include "formats/core/text/counted.hpp"
#include "validate/mvmheap/reference_rules.hpp"

namespace heapcheck::validation::mvmheap::v1 {

bool check_reference_count(const SnapshotView& view, Span place, core::FindingSink& sink) {
  const auto mismatch = find_mismatch(view.snapshot);
  if (!mismatch) return true;
  const std::uint64_t count = view.snapshot.references.count();
  sink.report({&rules::references_count,
               {place, std::nullopt, fmt::format("/snapshots/{}/references", view.index)},
               fmt::format("list has {}, expected {}, the sum of num_refs", core::counted(count, "reference"),
                           mismatch->owned)});
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
