#include "validate/mvmheap/v3/places.hpp"

#include <fmt/format.h>

namespace heapcheck::validation::mvmheap::v3 {
namespace {

using format::BlockKind;

BlockKind kind_of(Field field) {
  switch (field) {
    case Field::collectable_kind:
      return BlockKind::colkind;
    case Field::collectable_index:
      return BlockKind::coltofi;
    case Field::collectable_size:
      return BlockKind::colsize;
    case Field::collectable_unmanaged_size:
      return BlockKind::colusize;
    case Field::collectable_refs_start:
      return BlockKind::colrfstr;
    case Field::collectable_num_refs:
      return BlockKind::colrfcnt;
    case Field::reference_description:
      return BlockKind::refdescr;
    case Field::reference_target:
      return BlockKind::reftrget;
    case Field::string:
      return BlockKind::strings;
    case Field::type_repr_name:
      return BlockKind::reprname;
    case Field::type_type_name:
      return BlockKind::typename_;
    case Field::frame_name:
      return BlockKind::sfname;
    case Field::frame_cuid:
      return BlockKind::sfcuid;
    case Field::frame_line:
      return BlockKind::sfline;
    case Field::frame_file:
      return BlockKind::sffile;
  }
  return BlockKind::unknown;
}

/// The number of rows in the field's table that come from earlier parts.
std::uint64_t first_row(Field field, const format::BlockPart& part) {
  switch (field) {
    case Field::string:
      return part.before.strings;
    case Field::type_repr_name:
    case Field::type_type_name:
      return part.before.types;
    case Field::frame_name:
    case Field::frame_cuid:
    case Field::frame_line:
    case Field::frame_file:
      return part.before.static_frames;
    default:
      return 0;
  }
}

/// Locates the text of a string in the string heap of the part that adds it.
Span string_content(const format::BlockPart& part, const model::Tables& tables, std::uint64_t index) {
  constexpr std::uint64_t length_bytes = 4;
  const std::uint64_t text = tables.strings.text_before(model::StringIndex{index}) -
                             tables.strings.text_before(model::StringIndex{part.before.strings});
  return {text + length_bytes * (index - part.before.strings + 1),
          tables.strings[model::StringIndex{index}].size()};
}

}  // namespace

Location locate_block(const format::BlockContainer& container, const format::BlockPart& part,
                      BlockKind kind) {
  const std::string path = fmt::format("/snapshots/{}/{}", part.index, format::name_of(kind));
  if (part.state(kind) == format::BlockState::absent) return {{}, std::nullopt, path};
  return {container.blocks[part.block(kind)].span, std::nullopt, path};
}

Location locate_value(const format::BlockContainer& container, const format::BlockPart& part, BlockKind kind,
                      std::uint64_t row) {
  Location location = locate_block(container, part, kind);
  if (part.state(kind) == format::BlockState::absent) return location;
  const std::uint64_t entry_bytes = container.blocks[part.block(kind)].entry_bytes;
  location.content = Span{row * entry_bytes, entry_bytes};
  return location;
}

Locate make_locate(const format::BlockContainer& container, const format::BlockPart& part,
                   const model::Tables& tables) {
  return [&container, &part, &tables](Field field, std::uint64_t index) {
    const BlockKind kind = kind_of(field);
    Location location = field == Field::string
                            ? locate_block(container, part, kind)
                            : locate_value(container, part, kind, index - first_row(field, part));
    if (field == Field::string) location.content = string_content(part, tables, index);
    location.path = path_of(field, part.index, index);
    return location;
  };
}

}  // namespace heapcheck::validation::mvmheap::v3
