#include "formats/mvmheap/v2/shared_tables.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace heapcheck::mvmheap::v2 {
namespace {

constexpr std::array row_kinds{SectionKind::strings, SectionKind::types, SectionKind::static_frames};

template <class Value>
void append(const Column<Value>& from, Column<Value>& to) {
  for (std::uint64_t i = 0; i < from.count(); ++i) to.push_back(from[i]);
}

void append(const Tables& from, Tables& to) {
  for (std::uint64_t i = 0; i < from.strings.count(); ++i) to.strings.add(from.strings[StringIndex{i}]);
  append(from.types.repr_name, to.types.repr_name);
  append(from.types.type_name, to.types.type_name);
  append(from.static_frames.name, to.static_frames.name);
  append(from.static_frames.cuid, to.static_frames.cuid);
  append(from.static_frames.line, to.static_frames.line);
  append(from.static_frames.file, to.static_frames.file);
}

template <class Value>
std::uint64_t row_of(const Column<Value>& column, std::uint64_t index) {
  return column[index];
}
std::string_view row_of(const StringTable& strings, std::uint64_t index) {
  return strings[StringIndex{index}];
}

/// Whether the `count` rows from `first` on are the same as those from `second` on.
template <class Column>
bool are_same(const Column& column, std::uint64_t first, std::uint64_t second, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) {
    if (row_of(column, first + i) != row_of(column, second + i)) return false;
  }
  return true;
}

/// Calls `use` with each column of the table to which sections of this kind add rows.
template <class Use>
void for_each_column(Tables& tables, SectionKind kind, Use&& use) {
  StaticFrameTable& frames = tables.static_frames;
  if (kind == SectionKind::strings) use(tables.strings);
  if (kind == SectionKind::types) {
    for (auto* column : {&tables.types.repr_name, &tables.types.type_name}) use(*column);
  }
  if (kind == SectionKind::static_frames) {
    for (auto* column : {&frames.name, &frames.cuid, &frames.line, &frames.file}) use(*column);
  }
}

/// Removes `count` rows from `first` on.
template <class Value>
void erase(Column<Value>& column, std::uint64_t first, std::uint64_t count) {
  Column<Value> rest;
  for (std::uint64_t i = first + count; i < column.count(); ++i) rest.push_back(column[i]);
  column.truncate(first);
  append(rest, column);
}

void erase(StringTable& strings, std::uint64_t first, std::uint64_t count) {
  StringTable rest;
  for (std::uint64_t i = first + count; i < strings.count(); ++i) rest.add(strings[StringIndex{i}]);
  strings.truncate(first);
  for (std::uint64_t i = 0; i < rest.count(); ++i) strings.add(rest[StringIndex{i}]);
}

void truncate(Tables& tables, SectionKind kind, const TableCounts& counts) {
  if (kind == SectionKind::types) {
    tables.types.repr_name.truncate(counts.types);
    tables.types.type_name.truncate(counts.types);
  }
  if (kind == SectionKind::static_frames) {
    StaticFrameTable& frames = tables.static_frames;
    for (auto* column : {&frames.name, &frames.cuid, &frames.line, &frames.file}) {
      column->truncate(counts.static_frames);
    }
  }
}

}  // namespace

Layout SharedTables::layout() const {
  if (settled_ != Layout::unknown) return settled_;
  if (counts_before_ > counts_own_) return Layout::uncounted;
  if (rows_grow_) return Layout::increments;
  return without_rows_ > 1 ? Layout::tables_at_end : Layout::unknown;
}

UpperHalves SharedTables::upper_halves() const {
  if (layout() == Layout::uncounted) return UpperHalves::cut_off;
  return counts_own_ > counts_before_ ? UpperHalves::value : UpperHalves::unknown;
}

void SharedTables::begin_snapshot(SectionPart& part) {
  if (has_rows_) {
    rows_grow_ = true;
    continue_after_rows();
  }
  has_rows_ = false;
  part.before = rows_.counts();
}

void SharedTables::enter(const Section& section, const SectionPart& part) {
  if (!section.whole) {
    // A section that does not count its strings reveals the layout, even if the strings cannot be read.
    const bool counts_before = section.kind == SectionKind::strings && !section.is_last &&
                               section.span.length != 0 && section.declared_count == section.rows_before;
    if (counts_before) ++counts_before_;
    return lose(section.kind, part);
  }
  if (section.kind != SectionKind::strings || (section.is_last && has_snapshots())) return;
  const bool counts_own = section.declared_count == section.count;
  const bool counts_before = section.declared_count == section.rows_before;
  if (counts_own && !counts_before) ++counts_own_;
  if (counts_before && !counts_own) ++counts_before_;
  // After a length was repaired, only the count in the next section of strings shows whether all strings are
  // there.
  if (!section.certain && counts_before && !counts_own) strings_known_ = false;
}

bool SharedTables::drop_repeated_rows(const Section& section) {
  const std::uint64_t before = section.rows_before;
  const bool repeats_last = section.count <= before;
  const std::uint64_t count = repeats_last ? section.count : before;
  if (count < 2) return false;  // a single row may be repeated by accident
  bool is_repeat = true;
  for_each_column(rows_, section.kind, [&](const auto& column) {
    is_repeat = is_repeat && are_same(column, before - count, before, count);
  });
  if (!is_repeat) return false;
  for_each_column(rows_, section.kind, [&](auto& column) { erase(column, before, count); });
  return true;
}

bool SharedTables::fill_strings(std::uint64_t count, std::uint64_t most, std::uint64_t room,
                                SectionPart& part) {
  if (strings_known_ || layout() != Layout::uncounted) return true;
  const std::uint64_t first = rows_.strings.count();
  if (count < first || count - first > most) return true;
  if (count - first > room) return false;
  for (std::uint64_t i = first; i < count; ++i) rows_.strings.add("<lost string " + std::to_string(i) + ">");
  part.before.strings = count;
  are_strings_counted_ = true;
  return true;
}

void SharedTables::lose(SectionKind kind, const SectionPart& part) {
  if (!part.has_snapshot) return truncate(last_rows_, kind, {});
  if (kind == SectionKind::strings) strings_known_ = are_strings_counted_ = false;
  if (kind == SectionKind::types) types_known_ = false;
  if (kind == SectionKind::static_frames) frames_known_ = false;
  truncate(rows_, kind, part.before);
}

void SharedTables::end_snapshot(SectionPart& part, bool has_rows) {
  has_rows_ = has_rows;
  if (!has_rows) ++without_rows_;
  if (has_rows || needs_rows(layout())) {
    for (const SectionKind kind : row_kinds) {
      if (part.state(kind) == SectionState::absent) lose(kind, part);
    }
    return fill_in(part);
  }
  fill_in(part);
  part.after = counts_unknown;
}

void SharedTables::continue_after_rows() {
  if (without_rows_ == 0) return;
  rows_grow_ = true;
  set_known(false);  // rows of earlier snapshots were lost
}

void SharedTables::end_stray_rows(bool adopts) {
  if (adopts) append(last_rows_, rows_);
  if (!adopts) set_known(false);
  last_rows_ = {};
  rows_grow_ = true;
}

void SharedTables::fill_in(SectionPart& part) const {
  part.after = rows_.counts();
  part.strings_known = strings_known_;
  part.types_known = types_known_;
  part.frames_known = frames_known_;
}

/// Determines the layout from the rows at the end: they repeat earlier rows, they are missing, or they are
/// the only rows.
Layout SharedTables::find_settled(const SectionPart& last, bool has_index) const {
  const Layout so_far = layout();
  if (last.state(SectionKind::strings) != SectionState::absent) {
    if (!last.is_whole(SectionKind::strings) || rows_.strings.count() == 0)
      return so_far == Layout::uncounted ? Layout::uncounted : Layout::increments;
    return last_rows_.strings.count() == 0 ? Layout::uncounted : Layout::increments;
  }
  if (has_rows_ && !rows_grow_ && has_index) return Layout::tables_at_end;
  return has_rows_ && without_rows_ != 0 && so_far == Layout::unknown ? Layout::tables_at_end : so_far;
}

bool SharedTables::end_file(SectionPart& part, const SectionPart& last, bool has_index) {
  part.before = rows_.counts();
  if (!has_snapshots()) {
    if (last.state(SectionKind::strings) != SectionState::absent) settled_ = Layout::tables_at_end;
    rows_ = std::move(last_rows_);
    last_rows_ = {};
    fill_in(part);
    return last.state(SectionKind::strings) != SectionState::absent;
  }
  settled_ = find_settled(last, has_index);
  const bool lacks_rows = without_rows_ != 0 && needs_rows(settled_) && are_known();
  if (lacks_rows) set_known(false);
  const bool has_last = std::ranges::all_of(row_kinds, [&](SectionKind kind) { return last.is_whole(kind); });
  if (!are_known() && has_last && settled_ == Layout::increments) {
    rows_ = last_rows_;
    part.before = {};
    set_known(true);
    fill_in(part);
    return true;
  }
  if (!lacks_rows && (has_rows_ || rows_grow_ || needs_rows(settled_))) return false;
  set_known(false);
  fill_in(part);
  return true;
}

}  // namespace heapcheck::mvmheap::v2
