#include "fuzz/support/mutators/mvmheap_v2_mutator.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "formats/core/codec.hpp"
#include "fuzz/support/cursor.hpp"

namespace heapcheck::fuzz::v2 {
namespace {

namespace format = mvmheap::v2;
using format::SectionKind;

/// The offset of a number in a row, and its size in bytes.
struct FieldPlace {
  std::size_t offset;
  std::size_t byte_count;
};
constexpr std::array<FieldPlace, 6> collectable_fields{{
    {format::collectable_offset::kind, 2},
    {format::collectable_offset::type_or_frame_index, 4},
    {format::collectable_offset::size, 2},
    {format::collectable_offset::unmanaged_size, 8},
    {format::collectable_offset::refs_start, 8},
    {format::collectable_offset::num_refs, 4},
}};
constexpr std::size_t row_number_bytes = 8;  // in types and static frames

bool has_tag(const Section& section, SectionKind kind) { return section.tag == format::tag_of(kind); }

const format::SectionInfo* find_info(std::string_view tag) {
  const auto* found = std::ranges::find(format::sections, tag, &format::SectionInfo::tag);
  return found == format::sections.end() ? nullptr : found;
}

std::uint64_t get_number(const Bytes& row, FieldPlace place) {
  Bytes number(row.begin() + static_cast<std::ptrdiff_t>(place.offset),
               row.begin() + static_cast<std::ptrdiff_t>(place.offset + place.byte_count));
  number.resize(sizeof(std::uint64_t));
  return core::decode_le<std::uint64_t>(number.data());
}

void set_number(Bytes& row, FieldPlace place, std::uint64_t value) {
  Bytes number;
  core::encode_le(value, number);
  std::copy_n(number.begin(), place.byte_count, row.begin() + static_cast<std::ptrdiff_t>(place.offset));
}

/// Takes the next row, or the bytes of the next string without its length.
std::optional<Bytes> take_row(Cursor& cursor, core::ByteSpan rest, const Section& section) {
  std::uint64_t length = find_info(section.tag)->entry_bytes;
  if (has_tag(section, SectionKind::references)) {
    const std::size_t width = rest.empty() ? 0 : format::width_bytes(rest[0]);
    if (width == 0) return std::nullopt;
    length = format::reference_bytes(width);
  } else if (has_tag(section, SectionKind::strings)) {
    const auto number = cursor.take_le<std::uint64_t>();
    if (!number) return std::nullopt;
    length = *number;
  }
  const auto taken = cursor.take(length);
  if (!taken) return std::nullopt;
  return Bytes(taken->bytes.begin(), taken->bytes.end());
}

bool begins_types(core::ByteSpan rest) {
  return core::as_text(rest).starts_with(format::tag_of(SectionKind::types));
}

/// Returns nothing if there is no complete section. Strings continue up to the next tag, regardless of their
/// count.
std::optional<Section> take_section(Cursor& cursor, core::ByteSpan bytes, std::uint64_t strings_before) {
  const auto rest = [&] { return bytes.subspan(static_cast<std::size_t>(cursor.offset())); };
  Section section;
  const auto tag = cursor.take(format::tag_bytes);
  if (!tag || find_info(core::as_text(tag->bytes)) == nullptr) return std::nullopt;
  section.tag = core::as_text(tag->bytes);
  const bool is_strings = has_tag(section, SectionKind::strings);
  const auto count = cursor.take_le<std::uint64_t>();
  const auto entry_bytes = is_strings ? std::optional<std::uint64_t>(0) : cursor.take_le<std::uint64_t>();
  if (!count || !entry_bytes) return std::nullopt;
  section.entry_bytes = *entry_bytes;
  while (is_strings ? !begins_types(rest()) : section.rows.size() < *count) {
    auto row = take_row(cursor, rest(), section);
    if (!row) return std::nullopt;
    section.rows.push_back(std::move(*row));
  }
  section.counts_before = is_strings && *count != section.rows.size() && *count == strings_before;
  section.more = *count - section.rows.size();
  return section;
}

Bytes pack_section(const Section& section, std::uint64_t strings_before) {
  Bytes out;
  append(out, core::as_bytes(section.tag));
  core::encode_le(section.counts_before ? strings_before : section.rows.size() + section.more, out);
  const bool is_strings = has_tag(section, SectionKind::strings);
  if (!is_strings) core::encode_le(section.entry_bytes, out);
  for (const Bytes& row : section.rows) {
    if (is_strings) core::encode_le(std::uint64_t{row.size()}, out);
    append(out, row);
  }
  return out;
}

/// Returns the number of bytes from the tag of the references to the second half of the references.
std::uint64_t find_middle(const Section& references) {
  const std::size_t half = references.rows.size() / 2;
  if (half == 0) return 0;
  std::uint64_t offset = format::info_of(SectionKind::references).head_bytes;
  for (std::size_t i = 0; i < half; ++i) offset += references.rows[i].size();
  return offset;
}

using IndexRow = std::array<std::uint64_t, 4>;

Bytes make_index_of(const Dump& dump, const std::vector<std::uint64_t>& sizes) {
  std::vector<IndexRow> rows;
  const std::size_t last = dump.sections.size() - std::min<std::size_t>(3, dump.sections.size());
  for (std::size_t i = 0; i < last; ++i) {
    const Section& section = dump.sections[i];
    if (has_tag(section, SectionKind::collectables)) {
      rows.push_back({sizes[i], 0, 0, 0});
    } else if (!rows.empty() && has_tag(section, SectionKind::references)) {
      rows.back()[1] = sizes[i];
      rows.back()[2] = find_middle(section);
    } else if (!rows.empty() && dump.counts_rows) {
      rows.back()[3] += sizes[i];
    }
  }
  IndexRow trailer{0, 0, 0, rows.size()};
  for (std::size_t i = last; i < dump.sections.size(); ++i) trailer[i - last] = sizes[i];
  rows.push_back(trailer);
  Bytes out;
  for (const IndexRow& row : rows) {
    for (const std::uint64_t number : row) core::encode_le(number, out);
  }
  return out;
}

void change_reference(Bytes& row, RandomChoices& choices) {
  const std::size_t width = format::width_bytes(row[0]);
  if (row.size() != format::reference_bytes(width) || choices.below(10) == 0) return change_bytes(row);
  std::array<std::uint64_t, 2> numbers{get_number(row, {2, width}), get_number(row, {2 + width, width})};
  const std::size_t changed = choices.below(3);
  if (changed == 2) {
    row[1] = static_cast<std::uint8_t>(choose_near(choices, row[1]));
    return;
  }
  numbers[changed] = choose_near(choices, numbers[changed]);
  const format::Width taken = format::narrowest_width(numbers[0], numbers[1]);
  row = {taken.code, row[1]};
  row.resize(format::reference_bytes(taken.byte_count));
  set_number(row, {2, taken.byte_count}, numbers[0]);
  set_number(row, {2 + std::size_t{taken.byte_count}, taken.byte_count}, numbers[1]);
}

/// Rows may be of any size, because the tag of a section may have been changed.
void change_row(const Section& section, Bytes& row, RandomChoices& choices) {
  if (has_tag(section, SectionKind::references) && row.size() >= 2) return change_reference(row, choices);
  FieldPlace place{choices.below(4) * row_number_bytes, row_number_bytes};
  if (has_tag(section, SectionKind::collectables))
    place = collectable_fields[choices.below(collectable_fields.size())];
  if (has_tag(section, SectionKind::strings) || row.size() < place.offset + place.byte_count)
    return change_bytes(row);
  set_number(row, place, choose_near(choices, get_number(row, place)));
}

void change_dump(Dump& dump, RandomChoices& choices) {
  if (dump.sections.empty() || choices.below(12) == 0) return change_bytes(dump.rest);
  Section& section = dump.sections[choices.below(dump.sections.size())];
  switch (choices.below(12)) {
    case 0:
      return change_order(dump.sections, choices);
    case 1:
      section.tag = format::sections[choices.below(format::section_kind_count)].tag;
      return;
    case 2:
      section.more = choose_near(choices, section.more);
      return;
    case 3:
      section.entry_bytes = choose_near(choices, section.entry_bytes);
      return;
    case 4:
      section.counts_before = !section.counts_before;
      return;
    case 5:
    case 6:
      return change_order(section.rows, choices);
    default:
      if (!section.rows.empty())
        change_row(section, section.rows[choices.below(section.rows.size())], choices);
  }
}

/// Distributes the references that follow each section of collectables among them, in order. The last
/// collectable gets the rest.
void share_references(Dump& dump) {
  for (std::size_t i = 0; i + 1 < dump.sections.size(); ++i) {
    if (!has_tag(dump.sections[i], SectionKind::collectables)) continue;
    std::uint64_t left = dump.sections[i + 1].rows.size();
    std::uint64_t start = 0;
    for (Bytes& row : dump.sections[i].rows) {
      if (row.size() != format::collectable_bytes) continue;
      const bool is_last = &row == &dump.sections[i].rows.back();
      const std::uint64_t count = is_last ? left : std::min(left, get_number(row, collectable_fields[5]));
      set_number(row, collectable_fields[4], count == 0 ? 0 : start);
      set_number(row, collectable_fields[5], count);
      start += count;
      left -= count;
    }
  }
}

}  // namespace

Dump unpack_dump(core::ByteSpan bytes) {
  Dump dump;
  Cursor cursor({bytes, 0});
  cursor.take(format::magic.size());
  std::uint64_t end = cursor.offset();
  std::uint64_t strings = 0;
  while (auto section = take_section(cursor, bytes, strings)) {
    if (has_tag(*section, SectionKind::strings)) strings += section->rows.size();
    dump.sections.push_back(std::move(*section));
    end = cursor.offset();
  }
  append(dump.rest, bytes.subspan(static_cast<std::size_t>(end)));
  // The last number of an index entry counts rows.
  dump.counts_rows = dump.rest.size() > format::trailer_bytes && get_number(dump.rest, {24, 8}) != 0;
  return dump;
}

Bytes pack_dump(const Dump& dump, bool make_index) {
  Bytes out;
  append(out, core::as_bytes(format::magic));
  std::uint64_t strings = 0;
  std::vector<std::uint64_t> sizes;
  for (const Section& section : dump.sections) {
    const Bytes packed = pack_section(section, strings);
    if (has_tag(section, SectionKind::strings)) strings += section.rows.size();
    sizes.push_back(packed.size());
    append(out, packed);
  }
  append(out, make_index ? make_index_of(dump, sizes) : dump.rest);
  return out;
}

Bytes mutate(core::ByteSpan bytes, RandomChoices& choices) {
  Dump dump = unpack_dump(bytes);
  for (std::size_t i = 0, changes = 1 + choices.below(3); i < changes; ++i) change_dump(dump, choices);
  if (choices.below(2) == 0) share_references(dump);
  return pack_dump(dump, choices.below(4) != 0);
}

}  // namespace heapcheck::fuzz::v2
