#include "formats/mvmheap/v2/shared_tables.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace heapcheck::mvmheap::v2 {
namespace {

constexpr std::array row_kinds{SectionKind::strings, SectionKind::types, SectionKind::static_frames};

template <class Value>
void append(const Column<Value>& from, Column<Value>& to) {
  for (std::uint64_t i = 0; i < from.count(); ++i) to.push_back(from[i]);
}

void append(const Tables& from, Tables& to) {
  const auto append_columns = [](const auto& source, auto& target) {
    for (std::size_t i = 0; i < columns_of(source).size(); ++i)
      append(*columns_of(source)[i], *columns_of(target)[i]);
  };
  to.strings.append(from.strings);
  append_columns(from.types, to.types);
  append_columns(from.static_frames, to.static_frames);
}

template <class Value>
std::uint64_t row_of(const Column<Value>& column, std::uint64_t index) {
  return column[index];
}
std::string_view row_of(const StringTable& strings, std::uint64_t index) {
  return strings[StringIndex{index}];
}

/// Whether the `count` rows that start at `first` are equal to the rows that start at `second`.
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
  if (kind == SectionKind::strings) use(tables.strings);
  if (kind == SectionKind::types) {
    for (auto* column : columns_of(tables.types)) use(*column);
  }
  if (kind == SectionKind::static_frames) {
    for (auto* column : columns_of(tables.static_frames)) use(*column);
  }
}

/// Removes `count` rows, starting at `first`.
template <class Value>
void erase(Column<Value>& column, std::uint64_t first, std::uint64_t count) {
  Column<Value> rest;
  for (std::uint64_t i = first + count; i < column.count(); ++i) rest.push_back(column[i]);
  column.truncate(first);
  append(rest, column);
}

void erase(StringTable& strings, std::uint64_t first, std::uint64_t count) {
  strings = remove_names(strings, {first, count});
}

/// Removes the rows that a section of this kind has added. Strings are added only once they are certain.
void truncate(Tables& tables, SectionKind kind, const TableCounts& counts) {
  if (kind == SectionKind::strings) return;
  const std::uint64_t count = kind == SectionKind::types ? counts.types : counts.static_frames;
  for_each_column(tables, kind, [count](auto& column) { column.truncate(count); });
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
  if (section.kind == SectionKind::strings && !section.is_last) last_strings_ = section;
  if (!section.whole) {
    is_cut_in_strings_ = section.kind == SectionKind::strings && section.certain && are_strings_placed_;
    // A section that does not count its own strings reveals the layout, even if the strings cannot be read.
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
  // After a length has been repaired, only the count in the next strings section shows whether all strings
  // are present.
  if (!section.certain && counts_before && !counts_own) strings_known_ = are_strings_placed_ = false;
}

bool SharedTables::drop_repeated_rows(const Section& section) {
  const std::uint64_t before = section.rows_before;
  const bool repeats_last = section.count <= before;
  const std::uint64_t count = repeats_last ? section.count : before;
  if (count < 2) return false;  // a single row may be repeated by coincidence
  bool is_repeat = true;
  for_each_column(rows_, section.kind, [&](const auto& column) {
    is_repeat = is_repeat && are_same(column, before - count, before, count);
  });
  if (!is_repeat) return false;
  for_each_column(rows_, section.kind, [&](auto& column) { erase(column, before, count); });
  return true;
}

/// The strings that may have different indices if `count` strings come before the next section. If only one
/// length was wrong, the missing strings come after the string with this length.
LostStrings SharedTables::find_lost(std::uint64_t count) const {
  const std::uint64_t known = rows_.strings.count();
  const std::uint64_t missing = count - known;
  const Section& last = last_strings_;
  if (!last.whole) return {known, missing};
  if (last.faults != 1 || last.first_fault >= last.count) return {last.rows_before, count - last.rows_before};
  return {last.rows_before + last.first_fault, missing + 1};
}

/// Replaces the strings that may have different indices with placeholders, so that the table has `count`
/// strings.
void SharedTables::replace_lost(const LostStrings& lost, std::uint64_t count) {
  StringTable replaced;
  for (std::uint64_t i = 0; i < lost.first; ++i) replaced.add(rows_.strings[StringIndex{i}]);
  for (std::uint64_t i = 0; i < lost.count; ++i)
    replaced.add("<lost string " + std::to_string(lost.first + i) + ">");
  const std::uint64_t missing = count - rows_.strings.count();
  for (std::uint64_t i = replaced.count(); i < count; ++i)
    replaced.add(rows_.strings[StringIndex{i - missing}]);
  rows_.strings = std::move(replaced);
}

/// Whether a count of `count` strings before a section shows how many strings were lost. A count is only
/// trusted in two cases: if strings are in doubt, or if the count is equal to `needed` or to the number that
/// the last snapshot needs and matches the previous count.
bool SharedTables::tells_lost(std::uint64_t count, std::uint64_t needed) {
  const std::uint64_t known = rows_.strings.count();
  if (layout() != Layout::uncounted || count < known) return false;
  if (!are_strings_placed_) return true;
  const std::uint64_t doubted = std::exchange(doubted_, count - known);
  return doubted_ != 0 && doubted == 0 && (count == needed_strings_ || count == needed);
}

bool SharedTables::fill_strings(std::uint64_t count, bool adds_none, std::uint64_t most, std::uint64_t room,
                                SectionPart& part) {
  if (!tells_lost(count, adds_none ? find_needed_strings(part.snapshot.references) : 0)) return true;
  const std::uint64_t known = rows_.strings.count();
  if (count - known > most) return true;
  if (count - known > room) return false;
  if (count > known) {
    part.lost_strings = find_lost(count);
    replace_lost(part.lost_strings, count);
    strings_known_ = false;
  }
  part.before.strings = count;
  doubted_ = 0;
  are_strings_counted_ = are_strings_placed_ = true;
  return true;
}

void SharedTables::lose(SectionKind kind, const SectionPart& part) {
  if (!part.has_snapshot) return truncate(last_rows_, kind, {});
  if (kind == SectionKind::strings) {
    last_strings_.whole = false;
    strings_known_ = are_strings_counted_ = false;
    are_strings_placed_ = is_cut_in_strings_;
  }
  if (kind == SectionKind::types) types_known_ = false;
  if (kind == SectionKind::static_frames) frames_known_ = false;
  truncate(rows_, kind, part.before);
}

void SharedTables::end_snapshot(SectionPart& part, bool has_rows) {
  has_rows_ = has_rows;
  needed_strings_ = std::max(find_needed_strings(part.snapshot.references),
                             find_needed_strings(rows_, part.before, rows_.counts()));
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
  part.strings_placed = are_strings_placed_;
  part.types_known = types_known_;
  part.frames_known = frames_known_;
}

/// Determines the layout from the rows at the end, which repeat earlier rows, are missing, or are the only
/// rows.
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
  // In layout A, the last sections repeat all rows, so none are lost. spec: mvmheap/v2.md#layouts
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
