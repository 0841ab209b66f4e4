#include "validate/mvmheap/v2/places.hpp"

namespace heapcheck::validation::mvmheap::v2 {
namespace {

using format::SectionKind;

/// The section that contains a field, and the place of the field in an entry.
struct FieldPlace {
  SectionKind section = SectionKind::collectables;
  std::uint64_t offset = 0;
  std::uint64_t byte_count = 0;
};

FieldPlace place_of(Field field) {
  namespace at = format::collectable_offset;
  switch (field) {
    case Field::collectable_kind:
      return {SectionKind::collectables, at::kind, 2};
    case Field::collectable_index:
      return {SectionKind::collectables, at::type_or_frame_index, 4};
    case Field::collectable_size:
      return {SectionKind::collectables, at::size, 2};
    case Field::collectable_unmanaged_size:
      return {SectionKind::collectables, at::unmanaged_size, 8};
    case Field::collectable_refs_start:
      return {SectionKind::collectables, at::refs_start, 8};
    case Field::collectable_num_refs:
      return {SectionKind::collectables, at::num_refs, 4};
    case Field::reference_description:
    case Field::reference_target:
      return {SectionKind::references, 0, 0};
    case Field::string:
      return {SectionKind::strings, 0, 0};
    case Field::type_repr_name:
      return {SectionKind::types, 0, 8};
    case Field::type_type_name:
      return {SectionKind::types, 8, 8};
    case Field::frame_name:
      return {SectionKind::static_frames, 0, 8};
    case Field::frame_cuid:
      return {SectionKind::static_frames, 8, 8};
    case Field::frame_line:
      return {SectionKind::static_frames, 16, 8};
    case Field::frame_file:
      return {SectionKind::static_frames, 24, 8};
  }
  return {};
}

/// Locates one part of a reference: its kind and index, or its target.
Span locate_reference(const format::Section& section, const format::SectionPart& part, Field field,
                      std::uint64_t index) {
  const Span entry = format::find_reference(part, index, section.span.end());
  const std::uint64_t width = (entry.length - 2) / 2;
  if (entry.length > format::most_reference_bytes) return entry;
  if (field == Field::reference_target) return {entry.offset + 2 + width, width};
  return {entry.offset + 1, 1 + width};
}

Span locate_string(const format::Section& section, const format::SectionPart& part,
                   const model::Tables& tables, std::uint64_t index) {
  constexpr std::uint64_t length_bytes = 8;
  const std::uint64_t first = part.before.strings;
  const std::uint64_t text = tables.strings.text_before(model::StringIndex{index}) -
                             tables.strings.text_before(model::StringIndex{first});
  return {section.content() + text + length_bytes * (index - first + 1),
          tables.strings[model::StringIndex{index}].size()};
}

Span locate_value(const format::Section& section, const format::SectionPart& part,
                  const model::Tables& tables, Field field, std::uint64_t index) {
  const FieldPlace place = place_of(field);
  if (place.section == SectionKind::references) return locate_reference(section, part, field, index);
  if (place.section == SectionKind::strings) return locate_string(section, part, tables, index);
  std::uint64_t row = index;
  if (place.section == SectionKind::types) row -= part.before.types;
  if (place.section == SectionKind::static_frames) row -= part.before.static_frames;
  return {section.content() + row * format::info_of(place.section).entry_bytes + place.offset,
          place.byte_count};
}

/// Returns whether the snapshot lacks the row. Callers may ask for row 0 of an empty section.
bool is_missing(SectionKind kind, const model::Snapshot& snapshot, std::uint64_t index) {
  if (kind == SectionKind::collectables) return index >= snapshot.collectables.count();
  return kind == SectionKind::references && index >= snapshot.references.count();
}

}  // namespace

Locate make_locate(const format::SectionContainer& container, const format::SectionPart& part,
                   const model::Tables& tables) {
  return [&container, &part, &tables](Field field, std::uint64_t index) {
    Location location{{}, std::nullopt, path_of(field, part.index, index)};
    const SectionKind kind = place_of(field).section;
    if (part.state(kind) == format::SectionState::absent) return location;
    const format::Section& section = container.sections[part.section(kind)];
    location.file = is_missing(kind, part.snapshot, index)
                        ? section.span
                        : locate_value(section, part, tables, field, index);
    return location;
  };
}

}  // namespace heapcheck::validation::mvmheap::v2
