#include "validate/mvmheap/childless_starts.hpp"

#include <fmt/format.h>

namespace heapcheck::validation::mvmheap {
namespace {

/// Returns whether a collectable without references has a start that is not 0.
bool has_childless_start(std::span<const std::uint32_t> starts, std::span<const std::uint32_t> counts) {
  std::uint32_t wrong = 0;
  for (std::size_t i = 0; i < starts.size(); ++i) wrong |= counts[i] == 0 ? starts[i] : 0;
  return wrong != 0;
}

}  // namespace

void check_childless_starts(const SnapshotView& view, const Rule& rule, core::FindingSink& sink) {
  const auto& starts = view.snapshot.collectables.refs_start;
  const auto& counts = view.snapshot.collectables.num_refs;
  if (starts.is_narrow() && counts.is_narrow() && !has_childless_start(starts.narrow(), counts.narrow()))
    return;
  report_each(
      starts.count(), rule, sink,
      // A start after the end of the table is reported by mvm.refs.range.
      [&](std::uint64_t i) {
        return counts[i] == 0 && starts[i] != 0 && starts[i] <= view.snapshot.references.count();
      },
      [&](std::uint64_t i) {
        return Finding{
            &rule, view.locate(Field::collectable_refs_start, i),
            fmt::format("refs_start is {} in a collectable without references, expected 0", starts[i])};
      });
}

}  // namespace heapcheck::validation::mvmheap
