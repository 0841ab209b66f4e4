#include "validate/mvmheap/table_rules.hpp"

#include <fmt/format.h>

#include <array>
#include <functional>
#include <tuple>

#include "formats/core/keyed_hash.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/core/text/utf8.hpp"
#include "validate/mvmheap/lost_rows.hpp"

namespace heapcheck::validation::mvmheap {
namespace {

using model::FrameIndex;
using model::StringIndex;
using model::TypeIndex;

auto row_of(const model::Tables& tables, TypeIndex index) {
  const auto i = static_cast<std::uint64_t>(index);
  return std::tuple(tables.types.repr_name[i], tables.types.type_name[i]);
}

auto row_of(const model::Tables& tables, FrameIndex index) {
  const auto i = static_cast<std::uint64_t>(index);
  const auto& frames = tables.static_frames;
  return std::tuple(frames.name[i], frames.cuid[i], frames.line[i], frames.file[i]);
}

template <class Row>
std::size_t hash_row(const Row& row) {
  return std::apply(
      [](auto... values) {
        std::size_t hash = 0;
        ((hash = core::KeyedHash::combine(hash, values)), ...);
        return hash;
      },
      row);
}

/// Reports the string indices in a column that do not refer to known strings.
void check_range(const model::Column<std::uint32_t>& column, std::uint64_t first, std::uint64_t last,
                 std::uint64_t strings, const Rule& rule, Field field, const Locate& locate,
                 core::FindingSink& sink) {
  report_each(
      last - first, rule, sink, [&](std::uint64_t i) { return column[first + i] >= strings; },
      [&](std::uint64_t i) {
        return Finding{
            &rule, locate(field, first + i),
            fmt::format("string index is {}, expected less than {}, the number of strings known here",
                        column[first + i], strings)};
      });
}

/// Narrows `location`, the place of a string of `byte_count` bytes, to the byte at `position`. Returns it
/// unchanged if the string is longer in the file because of escapes.
Location at_byte(Location location, std::uint64_t position, std::uint64_t byte_count) {
  Span& span = location.content ? *location.content : location.file;
  if (span.length == byte_count) span = {span.offset + position, 1};
  return location;
}

/// Extends `location` to the end of `last`, if `last` is in the same block.
Location up_to(Location location, const Location& last) {
  Span& span = location.content ? *location.content : location.file;
  const Span& end = last.content ? *last.content : last.file;
  if (location.content && location.file != last.file) return location;
  if (end.end() > span.end()) span.length = end.end() - span.offset;
  return location;
}

}  // namespace

std::size_t TableRules::Rows::operator()(StringIndex index) const {
  return core::KeyedHash{}(tables->strings[index]);
}
std::size_t TableRules::Rows::operator()(TypeIndex index) const { return hash_row(row_of(*tables, index)); }
std::size_t TableRules::Rows::operator()(FrameIndex index) const { return hash_row(row_of(*tables, index)); }
bool TableRules::Rows::operator()(StringIndex a, StringIndex b) const {
  return tables->strings[a] == tables->strings[b];
}
bool TableRules::Rows::operator()(TypeIndex a, TypeIndex b) const {
  return row_of(*tables, a) == row_of(*tables, b);
}
bool TableRules::Rows::operator()(FrameIndex a, FrameIndex b) const {
  return row_of(*tables, a) == row_of(*tables, b);
}

TableRules::TableRules(const model::Tables& tables) : tables_(&tables) {}

template <class Index>
void TableRules::check_duplicates(core::RowTable& seen, std::uint64_t first, std::uint64_t last,
                                  const Rule& rule, Field field, const Locate& locate,
                                  core::FindingSink& sink) {
  // Rows that repeat earlier rows in the same order have one cause. The distance is that between a row and
  // the earlier row that it repeats.
  std::uint64_t distance = 0;
  const auto widen = [&](Finding& finding, const core::ViolationGroup& rows) {
    finding.location = up_to(std::move(finding.location), locate(field, rows.last));
    finding.message =
        fmt::format("rows {} to {} are identical to rows {} to {}, expected every row to be unique",
                    rows.first, rows.last, rows.first - distance, rows.last - distance);
  };
  core::FindingGroups groups(sink, rule, {.few = core::Grouping::unlimited, .gap = 1, .add_count = widen});
  const Rows rows{tables_};
  for (std::uint64_t i = first; i < last; ++i) {
    const std::uint64_t earlier = seen.find_or_add(
        rows(Index{i}), i, [&](std::uint64_t other) { return rows(Index{other}, Index{i}); });
    if (earlier == i) continue;
    if (i - earlier != distance) groups.report();
    distance = i - earlier;
    groups.add(i, [&] {
      return Finding{
          &rule, locate(field, i),
          fmt::format("row {} is identical to row {}, expected every row to be unique", i, earlier)};
    });
  }
  groups.report();
}

void TableRules::check_nul(std::uint64_t first, std::uint64_t last, const Locate& locate,
                           core::FindingSink& sink) const {
  const auto find_nul = [&](std::uint64_t i) { return tables_->strings[StringIndex{first + i}].find('\0'); };
  report_each(
      last - first, rules::strings_nul, sink,
      [&](std::uint64_t i) { return find_nul(i) != std::string_view::npos; },
      [&](std::uint64_t i) {
        return Finding{&rules::strings_nul,
                       at_byte(locate(Field::string, first + i), find_nul(i),
                               tables_->strings[StringIndex{first + i}].size()),
                       fmt::format("byte {} of a string of {} is NUL, expected no NUL", find_nul(i),
                                   core::counted(tables_->strings[StringIndex{first + i}].size(), "byte"))};
      });
}

void TableRules::check_strings(std::uint64_t first, std::uint64_t last, const Locate& locate,
                               core::FindingSink& sink) {
  const auto bytes_of = [&](std::uint64_t i) {
    return core::as_bytes(tables_->strings[StringIndex{first + i}]);
  };
  report_each(
      last - first, rules::strings_utf8, sink,
      [&](std::uint64_t i) { return core::find_invalid_utf8(bytes_of(i)).has_value(); },
      [&](std::uint64_t i) {
        const std::size_t position = core::find_invalid_utf8(bytes_of(i)).value_or(0);
        return Finding{&rules::strings_utf8,
                       at_byte(locate(Field::string, first + i), position, bytes_of(i).size()),
                       fmt::format("byte {} of the string is {:02x}, expected valid UTF-8", position,
                                   bytes_of(i)[position])};
      });
  check_duplicates<StringIndex>(strings_, first, last, rules::strings_duplicate, Field::string, locate, sink);
}

void TableRules::check_types(std::uint64_t first, std::uint64_t last, std::uint64_t strings,
                             const Locate& locate, core::FindingSink& sink) {
  core::Tally tally(sink);
  check_range(tables_->types.repr_name, first, last, strings, rules::types_string_range,
              Field::type_repr_name, locate, tally);
  check_range(tables_->types.type_name, first, last, strings, rules::types_string_range,
              Field::type_type_name, locate, tally);
  if (!tally.clean()) return;
  check_duplicates<TypeIndex>(types_, first, last, rules::types_duplicate, Field::type_type_name, locate,
                              sink);
}

void TableRules::check_frames(std::uint64_t first, std::uint64_t last, std::uint64_t strings,
                              const Locate& locate, core::FindingSink& sink) {
  const auto& frames = tables_->static_frames;
  core::Tally tally(sink);
  check_range(frames.name, first, last, strings, rules::frames_string_range, Field::frame_name, locate,
              tally);
  check_range(frames.cuid, first, last, strings, rules::frames_string_range, Field::frame_cuid, locate,
              tally);
  check_range(frames.file, first, last, strings, rules::frames_string_range, Field::frame_file, locate,
              tally);
  if (!tally.clean()) return;
  check_duplicates<FrameIndex>(frames_, first, last, rules::frames_duplicate, Field::frame_name, locate,
                               sink);
}

/// Reports mvm.tables.lost-rows if the rows of a part show that strings were lost. Returns whether they do.
bool TableRules::check_lost(const model::Part& part, const Locate& locate, core::FindingSink& sink) const {
  Outside outside{part.after.strings};
  Field field = Field::string;
  const auto look_at = [&](const auto& column, std::uint64_t first, std::uint64_t last, Field here) {
    for (std::uint64_t i = first; i < last; ++i) outside.look_at(column[i], i);
    if (outside.count != 0 && field == Field::string) field = here;
  };
  const auto& [repr_name, type_name] = tables_->types;
  const auto& [name, cuid, line, file] = tables_->static_frames;
  if (part.types_known) {
    look_at(repr_name, part.before.types, part.after.types, Field::type_repr_name);
    look_at(type_name, part.before.types, part.after.types, Field::type_type_name);
  }
  if (part.frames_known) {
    look_at(name, part.before.static_frames, part.after.static_frames, Field::frame_name);
    look_at(cuid, part.before.static_frames, part.after.static_frames, Field::frame_cuid);
    look_at(file, part.before.static_frames, part.after.static_frames, Field::frame_file);
  }
  if (!outside.has_lost_rows()) return false;
  sink.report(make_lost_rows(outside, locate(field, outside.first), "string index"));
  return true;
}

bool TableRules::check_part(const model::Part& part, bool strings_hold, const Locate& locate,
                            core::FindingSink& sink) {
  core::Tally framing(sink);  // a NUL means that an earlier length is wrong
  check_nul(part.before.strings, part.after.strings, locate, framing);
  check_strings(part.before.strings, part.after.strings, locate, sink);
  strings_hold = strings_hold && framing.clean() && part.strings_known && !check_lost(part, locate, sink);
  const std::uint64_t known = strings_hold ? part.after.strings : UINT64_MAX;
  if (part.types_known) check_types(part.before.types, part.after.types, known, locate, sink);
  if (part.frames_known)
    check_frames(part.before.static_frames, part.after.static_frames, known, locate, sink);
  return strings_hold;
}

}  // namespace heapcheck::validation::mvmheap
