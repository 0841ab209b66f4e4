#include "validate/mvmheap/v1/places.hpp"

#include <algorithm>
#include <array>

#include "formats/core/text/digits.hpp"
#include "formats/mvmheap/v1/names.hpp"

namespace heapcheck::validation::mvmheap::v1 {
namespace {

using format::LineKind;

/// The fields of an item in which a column of the model is stored.
struct Fields {
  LineKind list;
  std::size_t first = 0;
  std::size_t last = 0;
};

Fields fields_of(Field field) {
  switch (field) {
    case Field::string:
      return {LineKind::strings, 0, 0};
    case Field::type_repr_name:
      return {LineKind::types, 0, 0};
    case Field::type_type_name:
      return {LineKind::types, 1, 1};
    case Field::frame_name:
      return {LineKind::static_frames, 0, 0};
    case Field::frame_cuid:
      return {LineKind::static_frames, 1, 1};
    case Field::frame_line:
      return {LineKind::static_frames, 2, 2};
    case Field::frame_file:
      return {LineKind::static_frames, 3, 3};
    case Field::collectable_kind:
      return {LineKind::collectables, 0, 0};
    case Field::collectable_index:
      return {LineKind::collectables, 1, 1};
    case Field::collectable_size:
      return {LineKind::collectables, 2, 2};
    case Field::collectable_unmanaged_size:
      return {LineKind::collectables, 3, 3};
    case Field::collectable_refs_start:
      return {LineKind::collectables, 4, 4};
    case Field::collectable_num_refs:
      return {LineKind::collectables, 5, 5};
    case Field::reference_description:
      return {LineKind::references, 0, 1};
    case Field::reference_target:
      return {LineKind::references, 2, 2};
  }
  return {};
}

using Row = std::array<std::uint64_t, format::max_fields>;

Row read_row(LineKind list, std::uint64_t i, const format::LinePart& part, const model::Tables& tables) {
  const model::Collectables& collectables = part.snapshot.collectables;
  const model::References& references = part.snapshot.references;
  const model::StaticFrameTable& frames = tables.static_frames;
  switch (list) {
    case LineKind::types:
      return {tables.types.repr_name[i], tables.types.type_name[i]};
    case LineKind::static_frames:
      return {frames.name[i], frames.cuid[i], frames.line[i], frames.file[i]};
    case LineKind::collectables:
      return {collectables.kind[i],           collectables.type_or_frame_index[i], collectables.size[i],
              collectables.unmanaged_size[i], collectables.refs_start[i],          collectables.num_refs[i]};
    case LineKind::references:
      if (!references.has_targets)
        return {references.description[i] & format::max_reference_kind, 0, references.description[i] >> 2};
      return {references.description[i] & format::max_reference_kind, references.description[i] >> 2,
              references.target[i]};
    default:
      return {};
  }
}

std::uint64_t row_count(LineKind list, const format::LinePart& part, const model::Tables& tables) {
  if (list == LineKind::types) return tables.types.count();
  if (list == LineKind::static_frames) return tables.static_frames.count();
  return list == LineKind::collectables ? part.snapshot.collectables.count()
                                        : part.snapshot.references.count();
}

const format::RowPlaces& places_of(LineKind list, const format::LineContainer& container,
                                   const format::LinePart& part) {
  if (list == LineKind::types) return container.types;
  if (list == LineKind::static_frames) return container.static_frames;
  return list == LineKind::collectables ? part.collectables : part.references;
}

/// Returns the number of bytes in fields [first, last) of a row, including the separator after each field.
std::uint64_t measure(const Row& row, std::size_t first, std::size_t last) {
  std::uint64_t length = 0;
  for (std::size_t field = first; field < last; ++field) length += core::digit_count(row[field]) + 1;
  return length;
}

/// Locates some fields of a row. In an empty list, returns the place where row 0 would begin.
Span locate_fields(const Fields& fields, std::uint64_t index, const format::RowPlaces& places,
                   const format::LinePart& part, const model::Tables& tables) {
  const std::size_t count = format::info_of(fields.list).fields.size();
  const auto mark = places.find(index);
  if (index >= row_count(fields.list, part, tables)) return {mark.offset, 0};
  std::uint64_t offset = mark.offset;
  for (std::uint64_t row = mark.row; row < index; ++row) {
    offset += measure(read_row(fields.list, row, part, tables), 0, count);
  }
  const Row found = read_row(fields.list, index, part, tables);
  return {offset + measure(found, 0, fields.first), measure(found, fields.first, fields.last + 1) - 1};
}

/// Returns the part of `span` that is inside the lines of names. The computed length is wrong if MoarVM would
/// have written the name differently.
Span clamp(Span span, const format::LineContainer& container) {
  std::uint64_t end = 0;
  for (const format::Line& line : container.lines) {
    if (line.kind == LineKind::strings) end = std::max(end, line.span.end());
  }
  const std::uint64_t offset = std::min(span.offset, end);
  return {offset, std::min(span.length, end - offset)};
}

/// Locates a name, without its quotes.
Span locate_string(const format::LineContainer& container, const model::StringTable& strings,
                   std::uint64_t index) {
  constexpr std::uint64_t around = 3;  // two quotes and a comma
  const auto mark = container.strings.find(index);
  std::uint64_t offset = mark.offset;
  for (std::uint64_t row = mark.row; row < index; ++row) {
    offset += format::encoded_name_bytes(strings[model::StringIndex{row}]) + around;
  }
  return clamp({offset + 1, format::encoded_name_bytes(strings[model::StringIndex{index}])}, container);
}

}  // namespace

Locate make_locate(const format::LineContainer& container, const format::LinePart& part,
                   const model::Tables& tables) {
  return [&container, &part, &tables](Field field, std::uint64_t index) {
    Fields fields = fields_of(field);
    if (field == Field::reference_description && !part.snapshot.references.has_targets) fields.last = 2;
    const Span place =
        fields.list == LineKind::strings
            ? locate_string(container, tables.strings, index)
            : locate_fields(fields, index, places_of(fields.list, container, part), part, tables);
    return Location{place, std::nullopt, path_of(field, part.index, index)};
  };
}

}  // namespace heapcheck::validation::mvmheap::v1
