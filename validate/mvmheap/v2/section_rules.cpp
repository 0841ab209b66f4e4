#include "validate/mvmheap/v2/section_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "formats/mvmheap/v2/section_reader.hpp"

namespace heapcheck::validate::mvmheap::v2 {
namespace {

using format::Layout;
using format::Section;
using format::SectionKind;

void report(const core::Rule& rule, core::Span place, const std::string& path, std::string message,
            core::FindingSink& sink) {
  sink.report({&rule, {place, std::nullopt, path}, std::move(message)});
}

/// The first row of two tables in which they differ; where one ends, the next one.
template <class IsSame>
std::optional<std::uint64_t> find_difference(std::uint64_t a, std::uint64_t b, IsSame&& is_same) {
  std::uint64_t row = 0;
  while (row < std::min(a, b) && is_same(row)) ++row;
  return row == a && row == b ? std::nullopt : std::optional(row);
}

const Section* find_last(const format::Container& container, SectionKind kind) {
  for (const Section& section : container.sections) {
    if (section.is_last && section.kind == kind) return &section;
  }
  return nullptr;
}

/// Reports the first row that the last section of `kind` does not repeat.
void report_difference(const Section& section, std::uint64_t row, core::Span row_place, std::uint64_t rows,
                       core::FindingSink& sink) {
  const bool is_missing = row >= section.count;
  const core::Span place = is_missing ? core::Span{section.span.end(), 0} : row_place;
  report(rules::tables_repeated, place, fmt::format("/{}/{}", name_of(section.kind), row),
         is_missing
             ? fmt::format("section ends behind {} rows, the sections before hold {}", section.count, rows)
         : row >= rows
             ? fmt::format("section holds {} rows, the sections before hold {}", section.count, rows)
             : fmt::format("row {} is not what the sections before hold, required is a repetition", row),
         sink);
}

core::Span string_place(const Section& section, const model::StringTable& strings, std::uint64_t row) {
  constexpr std::uint64_t length_bytes = 8;
  if (row >= strings.count()) return {};
  return {section.content() + strings.text_before(model::StringIndex{row}) + length_bytes * (row + 1),
          strings[model::StringIndex{row}].size()};
}

core::Span row_place(const Section& section, std::uint64_t row) {
  const std::uint64_t row_bytes = format::info_of(section.kind).entry_bytes;
  return {section.content() + row * row_bytes, row_bytes};
}

bool is_same_type(const model::TypeTable& a, const model::TypeTable& b, std::uint64_t row) {
  return a.repr_name[row] == b.repr_name[row] && a.type_name[row] == b.type_name[row];
}

bool is_same_frame(const model::StaticFrameTable& a, const model::StaticFrameTable& b, std::uint64_t row) {
  return a.name[row] == b.name[row] && a.cuid[row] == b.cuid[row] && a.line[row] == b.line[row] &&
         a.file[row] == b.file[row];
}

}  // namespace

void check_last_tables(const format::Container& container, const model::Tables& tables,
                       const model::Tables& last, core::FindingSink& sink) {
  if (container.layout != Layout::increments) return;
  const Section* strings = find_last(container, SectionKind::strings);
  const Section* types = find_last(container, SectionKind::types);
  const Section* frames = find_last(container, SectionKind::static_frames);
  if (strings != nullptr && strings->whole) {
    const auto row = find_difference(last.strings.count(), tables.strings.count(), [&](std::uint64_t i) {
      return last.strings[model::StringIndex{i}] == tables.strings[model::StringIndex{i}];
    });
    if (row)
      report_difference(*strings, *row, string_place(*strings, last.strings, *row), tables.strings.count(),
                        sink);
  }
  if (types != nullptr && types->whole) {
    const auto row = find_difference(last.types.count(), tables.types.count(), [&](std::uint64_t i) {
      return is_same_type(last.types, tables.types, i);
    });
    if (row) report_difference(*types, *row, row_place(*types, *row), tables.types.count(), sink);
  }
  if (frames != nullptr && frames->whole) {
    const auto row = find_difference(
        last.static_frames.count(), tables.static_frames.count(),
        [&](std::uint64_t i) { return is_same_frame(last.static_frames, tables.static_frames, i); });
    if (row) report_difference(*frames, *row, row_place(*frames, *row), tables.static_frames.count(), sink);
  }
}

void check_quirks(const format::Container& container, core::FindingSink& sink) {
  std::uint64_t wide = 0;
  const Section* first_wide = nullptr;
  const Section* first_upper = nullptr;
  const Section* first_count = nullptr;
  for (const Section& section : container.sections) {
    wide += section.wide;
    if (section.wide != 0 && first_wide == nullptr) first_wide = &section;
    if (section.upper_half && first_upper == nullptr) first_upper = &section;
    const bool counts_before =
        section.kind == SectionKind::strings && section.declared_count == section.rows_before &&
        section.declared_count != section.count && container.layout == Layout::uncounted;
    if (counts_before && first_count == nullptr) first_count = &section;
  }
  if (first_wide != nullptr) {
    report(rules::refs_wide, first_wide->span, path_of(*first_wide),
           fmt::format("{} references are wider than their values need", wide), sink);
  }
  if (first_count != nullptr) {
    report(rules::strings_count_before, {first_count->span.offset + format::tag_bytes, 8},
           path_of(*first_count),
           fmt::format("count is {}, how many strings stand before; the section holds {}, as MoarVM writes "
                       "since 2019.11",
                       first_count->declared_count, first_count->count),
           sink);
  }
  if (first_upper != nullptr) {
    report(rules::rows_upper_half, *first_upper->upper_half, path_of(*first_upper),
           "upper half of the field repeats the next field, as MoarVM writes since 2019.11", sink);
  }
}

}  // namespace heapcheck::validate::mvmheap::v2
