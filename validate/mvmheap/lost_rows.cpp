#include "validate/mvmheap/lost_rows.hpp"

#include <fmt/format.h>

#include "formats/core/text/counted.hpp"

namespace heapcheck::validation::mvmheap {
namespace {

constexpr std::uint64_t kind_mask = 3;
constexpr unsigned index_shift = 2;

}  // namespace

OutsideTables count_outside_tables(const model::Snapshot& snapshot, const model::TableCounts& known) {
  OutsideTables outside{{known.strings}, {known.types}, {known.static_frames}};
  const auto& kinds = snapshot.collectables.kind;
  const auto& indices = snapshot.collectables.type_or_frame_index;
  for (std::uint64_t i = 0; i < kinds.count(); ++i) {
    if (model::is_typed_kind(kinds[i])) outside.types.look_at(indices[i], i);
    if (kinds[i] == static_cast<std::uint64_t>(model::CollectableKind::frame))
      outside.frames.look_at(indices[i], i);
  }
  const auto& descriptions = snapshot.references.description;
  for (std::uint64_t i = 0; i < descriptions.count(); ++i) {
    if ((descriptions[i] & kind_mask) == static_cast<std::uint64_t>(model::ReferenceKind::string))
      outside.strings.look_at(descriptions[i] >> index_shift, i);
  }
  return outside;
}

bool may_be_outside(const SnapshotView& view) {
  model::DescriptionNotes notes = view.snapshot.references.notes;
  notes.update(view.snapshot.references.description);
  return view.summary.has_bad_index || !notes.hold(view.known.strings);
}

Finding make_lost_rows(const Outside& outside, Location place, core::Noun indices) {
  return {&rules::tables_lost_rows, std::move(place),
          fmt::format("found {} of {} or more, the number of rows known here, up to {}; expected none",
                      core::counted(outside.count, indices), outside.rows, outside.largest)};
}

void LostRows::check(const SnapshotView& view, const TablesKnown& known, core::FindingSink& sink) {
  if (!may_be_outside(view)) return;
  const auto [strings, types, frames] = count_outside_tables(view.snapshot, view.known);
  const auto report = [&](const Outside& outside, Field field, core::Noun indices) {
    sink.report(make_lost_rows(outside, view.locate(field, outside.first), indices));
    return false;
  };
  const TablesKnown held = keep(known);
  if (held.strings && strings.has_lost_rows())
    hold_.strings = report(strings, Field::reference_description, "string index");
  if (held.types && types.has_lost_rows())
    hold_.types = report(types, Field::collectable_index, "type index");
  if (held.frames && frames.has_lost_rows())
    hold_.frames = report(frames, Field::collectable_index, "static frame index");
}

}  // namespace heapcheck::validation::mvmheap
