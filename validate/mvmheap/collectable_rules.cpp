#include "validate/mvmheap/rules.hpp"

#include <fmt/format.h>

namespace heapcheck::validation::mvmheap {
namespace {

using model::CollectableKind;

constexpr auto root_kind = static_cast<std::uint64_t>(CollectableKind::root);
constexpr auto frame_kind = static_cast<std::uint64_t>(CollectableKind::frame);

/// Returns whether a kind is valid and different from that of the root.
bool is_other_kind(std::uint64_t kind) {
  return kind != 0 && kind <= model::last_collectable_kind && kind != root_kind;
}

/// Returns the nonzero field of a root, or the kind if several fields are nonzero.
Field wrong_root_field(const model::Collectables& collectables, std::uint64_t i) {
  const bool index = collectables.type_or_frame_index[i] != 0;
  const bool size = collectables.size[i] != 0;
  const bool unmanaged = collectables.unmanaged_size[i] != 0;
  if (static_cast<int>(index) + static_cast<int>(size) + static_cast<int>(unmanaged) > 1)
    return Field::collectable_kind;
  if (index) return Field::collectable_index;
  return size ? Field::collectable_size : Field::collectable_unmanaged_size;
}

}  // namespace

void check_kinds(const SnapshotView& view, core::FindingSink& sink) {
  std::uint64_t known = 0;
  for (std::uint64_t kind = 1; kind <= model::last_collectable_kind; ++kind)
    known += view.summary.kind_counts[kind];
  const auto& kinds = view.snapshot.collectables.kind;
  if (known == kinds.count()) return;
  report_each(
      kinds.count(), rules::collectable_kind, sink,
      [&](std::uint64_t i) { return kinds[i] == 0 || kinds[i] > model::last_collectable_kind; },
      [&](std::uint64_t i) {
        return make_finding(
            view, rules::collectable_kind, Field::collectable_kind, i,
            fmt::format("kind is {}, expected 1 to {}", kinds[i], model::last_collectable_kind));
      });
}

void check_root(const SnapshotView& view, core::FindingSink& sink) {
  const auto& kinds = view.snapshot.collectables.kind;
  if (kinds.count() != 0 && kinds[0] == root_kind && view.summary.count_of(CollectableKind::root) == 1)
    return;
  if (kinds.count() == 0) {
    sink.report(make_finding(view, rules::collectable_root, Field::collectable_kind, 0,
                             "snapshot has no collectables, expected at least the root"));
    return;
  }
  report_each(
      kinds.count(), rules::collectable_root, sink,
      // check_kinds() reports a kind that does not exist.
      [&](std::uint64_t i) { return i == 0 ? is_other_kind(kinds[0]) : kinds[i] == root_kind; },
      [&](std::uint64_t i) {
        return make_finding(
            view, rules::collectable_root, Field::collectable_kind, i,
            i == 0
                ? fmt::format("collectable 0 has kind {}, expected {}, the root", kinds[0], root_kind)
                : fmt::format("kind is {}, the root, expected this kind only in collectable 0", root_kind));
      });
}

void check_type_indices(const SnapshotView& view, core::FindingSink& sink) {
  if (!view.summary.has_bad_index) return;
  const auto& collectables = view.snapshot.collectables;
  report_each(
      collectables.count(), rules::collectable_type_range, sink,
      [&](std::uint64_t i) {
        return model::is_typed_kind(collectables.kind[i]) &&
               collectables.type_or_frame_index[i] >= view.known.types;
      },
      [&](std::uint64_t i) {
        return make_finding(
            view, rules::collectable_type_range, Field::collectable_index, i,
            fmt::format("type index is {}, expected less than {}, the number of types known here",
                        collectables.type_or_frame_index[i], view.known.types));
      });
}

void check_frame_indices(const SnapshotView& view, core::FindingSink& sink) {
  if (!view.summary.has_bad_index) return;
  const auto& collectables = view.snapshot.collectables;
  report_each(
      collectables.count(), rules::collectable_frame_range, sink,
      [&](std::uint64_t i) {
        return collectables.kind[i] == frame_kind &&
               collectables.type_or_frame_index[i] >= view.known.static_frames;
      },
      [&](std::uint64_t i) {
        return make_finding(
            view, rules::collectable_frame_range, Field::collectable_index, i,
            fmt::format(
                "static frame index is {}, expected less than {}, the number of static frames known here",
                collectables.type_or_frame_index[i], view.known.static_frames));
      });
}

void check_root_fields(const SnapshotView& view, core::FindingSink& sink) {
  if (!view.summary.has_root_fields) return;
  const auto& collectables = view.snapshot.collectables;
  report_each(
      collectables.count(), rules::collectable_root_fields, sink,
      [&](std::uint64_t i) {
        return model::is_root_kind(collectables.kind[i]) &&
               (collectables.type_or_frame_index[i] != 0 || collectables.size[i] != 0 ||
                collectables.unmanaged_size[i] != 0);
      },
      [&](std::uint64_t i) {
        return make_finding(view, rules::collectable_root_fields, wrong_root_field(collectables, i), i,
                            fmt::format("collectable of kind {} has index {}, size {} and unmanaged size {}, "
                                        "expected 0 for all three",
                                        collectables.kind[i], collectables.type_or_frame_index[i],
                                        collectables.size[i], collectables.unmanaged_size[i]));
      });
}

void check_size_sum(const SnapshotView& view, core::FindingSink& sink) {
  if (view.summary.byte_count != UINT64_MAX) return;
  const auto& sizes = view.snapshot.collectables.unmanaged_size;
  std::uint64_t largest = 0;
  for (std::uint64_t i = 1; i < sizes.count(); ++i) {
    if (sizes[i] > sizes[largest]) largest = i;
  }
  sink.report(make_finding(view, rules::collectable_size_sum, Field::collectable_unmanaged_size, largest,
                           fmt::format("sizes add up to 2^64 - 1 or more, expected less; the largest "
                                       "unmanaged size is {}",
                                       sizes[largest])));
}

void check_childless_starts(const SnapshotView& view, const Rule& rule, core::FindingSink& sink) {
  const auto& starts = view.snapshot.collectables.refs_start;
  const auto& counts = view.snapshot.collectables.num_refs;
  if (view.facts.have_childless_no_start) return;
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
