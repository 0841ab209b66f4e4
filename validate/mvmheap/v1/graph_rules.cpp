#include "validate/mvmheap/v1/graph_rules.hpp"

#include <fmt/format.h>

namespace heapcheck::validate::mvmheap::v1 {
namespace {

/// Whether some collectable without references starts elsewhere than at 0.
bool has_childless_start(std::span<const std::uint32_t> starts, std::span<const std::uint32_t> counts) {
  std::uint32_t wrong = 0;
  for (std::size_t i = 0; i < starts.size(); ++i) wrong |= counts[i] == 0 ? starts[i] : 0;
  return wrong != 0;
}

}  // namespace

void check_childless_starts(const SnapshotView& view, core::FindingSink& sink) {
  const auto& starts = view.snapshot.collectables.refs_start;
  const auto& counts = view.snapshot.collectables.num_refs;
  if (starts.is_narrow() && counts.is_narrow() && !has_childless_start(starts.narrow(), counts.narrow()))
    return;
  report_each(
      starts.count(), rules::collectables_childless_start, sink,
      [&](std::uint64_t i) { return counts[i] == 0 && starts[i] != 0; },
      [&](std::uint64_t i) {
        return core::Finding{&rules::collectables_childless_start,
                             view.locate(Field::collectable_refs_start, i),
                             fmt::format("refs_start is {} without references, required is 0", starts[i])};
      });
}

}  // namespace heapcheck::validate::mvmheap::v1
