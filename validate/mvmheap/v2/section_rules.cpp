#include "validate/mvmheap/v2/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "formats/core/text/counted.hpp"
#include "formats/mvmheap/v2/section_reader.hpp"

namespace heapcheck::validation::mvmheap::v2 {
namespace {

using format::Layout;
using format::Section;
using format::SectionKind;

void report(const Rule& rule, Span place, const std::string& path, std::string message,
            core::FindingSink& sink) {
  sink.report({&rule, {place, std::nullopt, path}, std::move(message)});
}

/// The last section of `kind`, or null if there is none or it is damaged.
const Section* find_last(const format::SectionContainer& container, SectionKind kind) {
  for (const Section& section : container.sections) {
    if (section.is_last && section.kind == kind && section.whole) return &section;
  }
  return nullptr;
}

/// The section after a snapshot in which row `row` of its table is stored.
const Section* find_first(const format::SectionContainer& container, SectionKind kind, std::uint64_t row) {
  for (const Section& section : container.sections) {
    if (section.is_last || section.kind != kind || row < section.rows_before) continue;
    if (row - section.rows_before < section.count) return &section;
  }
  return nullptr;
}

/// Locates a row in a section that starts with row `first` of `tables`.
Span locate_row(const Section& section, const model::Tables& tables, std::uint64_t first, std::uint64_t row) {
  constexpr std::uint64_t length_bytes = 8;
  if (section.kind != SectionKind::strings) {
    const std::uint64_t row_bytes = format::info_of(section.kind).entry_bytes;
    return {section.content() + (row - first) * row_bytes, row_bytes};
  }
  const std::uint64_t text = tables.strings.text_before(model::StringIndex{row}) -
                             tables.strings.text_before(model::StringIndex{first});
  return {section.content() + text + length_bytes * (row - first + 1),
          tables.strings[model::StringIndex{row}].size()};
}

std::uint64_t count_rows(const model::Tables& tables, SectionKind kind) {
  const model::TableCounts counts = tables.counts();
  if (kind == SectionKind::strings) return counts.strings;
  return kind == SectionKind::types ? counts.types : counts.static_frames;
}

bool is_same_row(const model::Tables& a, const model::Tables& b, SectionKind kind, std::uint64_t row) {
  if (kind == SectionKind::strings)
    return a.strings[model::StringIndex{row}] == b.strings[model::StringIndex{row}];
  if (kind == SectionKind::types)
    return a.types.repr_name[row] == b.types.repr_name[row] &&
           a.types.type_name[row] == b.types.type_name[row];
  const auto& x = a.static_frames;
  const auto& y = b.static_frames;
  return x.name[row] == y.name[row] && x.cuid[row] == y.cuid[row] && x.line[row] == y.line[row] &&
         x.file[row] == y.file[row];
}

/// Reports the first row that a last section fails to repeat, and the place of the original row.
void check_last_section(const format::SectionContainer& container, const Section& last_section,
                        const model::Tables& tables, const model::Tables& last, core::FindingSink& sink) {
  const SectionKind kind = last_section.kind;
  const std::uint64_t rows = count_rows(tables, kind);
  const std::uint64_t last_rows = count_rows(last, kind);
  std::uint64_t row = 0;
  while (row < std::min(rows, last_rows) && is_same_row(tables, last, kind, row)) ++row;
  if (row == rows && row == last_rows) return;
  // A missing row has no bytes, so its place is just after the last row.
  const Span place =
      row < last_rows ? locate_row(last_section, last, 0, row) : Span{last_section.span.end(), 0};
  const std::string path = fmt::format("/{}/{}", name_of(kind), row);
  std::string message =
      rows == last_rows
          ? fmt::format("row {} differs from the row after the snapshot, expected an identical row", row)
          : fmt::format("section has {}, expected {}, the number of rows after the snapshots",
                        core::counted(last_rows, "row"), rows);
  Finding finding{&rules::tables_repeated, {place, std::nullopt, path}, std::move(message)};
  if (const Section* first = row < rows ? find_first(container, kind, row) : nullptr) {
    const Span other = locate_row(*first, tables, first->rows_before, row);
    finding.related.push_back(
        {{other, std::nullopt, fmt::format("{}/{}", path_of(*first), row)}, "the row after the snapshot"});
  }
  sink.report(std::move(finding));
}

/// Returns whether the count in a strings section is the number of strings before that section.
bool counts_before(const Section& section) {
  return section.kind == SectionKind::strings && section.declared_count == section.rows_before &&
         section.declared_count != section.count;
}

/// Reports all wide references in the file as one finding at `first`, the first section that contains any.
void report_wide(const Section& first, std::span<const Section> sections, core::FindingSink& sink) {
  std::uint64_t wide = 0;
  for (const Section& section : sections) wide += section.wide;
  report(rules::refs_wide, first.span, path_of(first),
         fmt::format("found {} wider than necessary, expected the narrowest width",
                     core::counted(wide, "reference")),
         sink);
}

void report_count_before(const Section& section, core::FindingSink& sink) {
  report(rules::strings_count_before, {section.span.offset + format::tag_bytes, 8}, path_of(section),
         fmt::format("count is {}, the number of strings before the section, as MoarVM has written since "
                     "2019.11; expected {}",
                     section.declared_count, section.count),
         sink);
}

}  // namespace

void check_last_tables(const format::SectionContainer& container, const model::Tables& tables,
                       const model::Tables& last, core::FindingSink& sink) {
  if (container.layout != Layout::increments || !container.last_known) return;
  for (const SectionKind kind : {SectionKind::strings, SectionKind::types, SectionKind::static_frames}) {
    if (const Section* section = find_last(container, kind))
      check_last_section(container, *section, tables, last, sink);
  }
}

void check_quirks(const format::SectionContainer& container, core::FindingSink& sink) {
  const auto& sections = container.sections;
  const auto wide = std::ranges::find_if(sections, [](const Section& section) { return section.wide != 0; });
  if (wide != sections.end()) report_wide(*wide, sections, sink);
  if (container.layout == Layout::uncounted) {
    const auto miscounted = std::ranges::find_if(sections, counts_before);
    if (miscounted != sections.end()) report_count_before(*miscounted, sink);
  }
  const auto upper =
      std::ranges::find_if(sections, [](const Section& section) { return section.upper_half.has_value(); });
  if (upper == sections.end()) return;
  report(rules::rows_upper_half, *upper->upper_half, path_of(*upper),
         "upper half of the field repeats the next field, as MoarVM has written since 2019.11; expected 0",
         sink);
}

void check_upper_halves(const format::SectionContainer& container, core::FindingSink& sink) {
  for (const Section& section : container.sections) {
    if (!section.whole || !section.upper_half || !section.upper_mismatch) continue;
    core::report_or_count(
        sink, {&rules::rows_upper_mismatch,
               {*section.upper_mismatch, std::nullopt, path_of(section)},
               "upper half of the field differs from the next field, expected a copy of it as in the other "
               "fields of the section"});
  }
}

}  // namespace heapcheck::validation::mvmheap::v2
