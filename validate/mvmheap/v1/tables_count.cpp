#include "validate/mvmheap/v1/tables_count.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/core/text/counted.hpp"
#include "formats/mvmheap/summary.hpp"
#include "validate/mvmheap/lost_rows.hpp"
#include "validate/mvmheap/v1/rules.hpp"

namespace heapcheck::validation::mvmheap::v1 {
bool TablesCount::report(format::LineKind kind, std::uint64_t largest, std::uint64_t count,
                         core::FindingSink& sink) const {
  const auto line = std::ranges::find(container_->lines, kind, &format::Line::kind);
  const Span place = line == container_->lines.end() ? Span{} : line->span;
  const std::string_view name = format::info_of(kind).name;
  sink.report({&rules::tables_count,
               {place, std::nullopt, fmt::format("/{}", name)},
               fmt::format("found {} in {}, expected more than {}, the largest index in use",
                           core::counted(count, "row"), name, largest)});
  return false;
}

void TablesCount::check_strings(core::FindingSink& sink) {
  Outside outside{tables_->strings.count()};
  const auto look_at = [&outside](const auto& column) {
    for (std::uint64_t i = 0; i < column.count(); ++i) outside.look_at(column[i], i);
  };
  look_at(tables_->types.repr_name);
  look_at(tables_->types.type_name);
  look_at(tables_->static_frames.name);
  look_at(tables_->static_frames.cuid);
  look_at(tables_->static_frames.file);
  if (outside.has_lost_rows())
    hold_.strings = report(format::LineKind::strings, outside.largest, outside.rows, sink);
}

void TablesCount::check_rows(const model::Snapshot& snapshot, const TablesKnown& known,
                             core::FindingSink& sink) {
  const auto [strings, types, frames] = count_outside_tables(snapshot, tables_->counts());
  if (known.strings && hold_.strings && strings.has_lost_rows())
    hold_.strings = report(format::LineKind::strings, strings.largest, strings.rows, sink);
  if (known.types && hold_.types && types.has_lost_rows())
    hold_.types = report(format::LineKind::types, types.largest, types.rows, sink);
  if (known.frames && hold_.frames && frames.has_lost_rows()) {
    hold_.frames = report(format::LineKind::static_frames, frames.largest, frames.rows, sink);
  }
}

}  // namespace heapcheck::validation::mvmheap::v1
