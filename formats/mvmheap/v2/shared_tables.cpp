#include "formats/mvmheap/v2/shared_tables.hpp"

#include <algorithm>
#include <array>

namespace heapcheck::mvmheap::v2 {
namespace {

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

void SharedTables::begin_snapshot(Part& part) {
  if (has_rows_) {
    // Another snapshot behind rows: they are not all there is. Rows of snapshots before were lost.
    if (layout_ == Layout::unknown || layout_ == Layout::tables_behind) layout_ = Layout::increments;
    if (without_rows_ != 0) strings_known_ = types_known_ = frames_known_ = false;
  }
  has_rows_ = false;
  part.before = rows_.counts();
}

void SharedTables::enter(const Section& section, const Part& part) {
  if (!section.whole) return lose(section.kind, part);
  if (section.kind != SectionKind::strings || section.is_last) return;
  const bool counts_own = section.declared_count == section.count;
  const bool counts_before = section.declared_count == section.rows_before;
  if (counts_before && !counts_own && layout_ == Layout::unknown) layout_ = Layout::uncounted;
}

void SharedTables::lose(SectionKind kind, const Part& part) {
  if (!part.has_snapshot) return truncate(last_rows_, kind, {});
  if (kind == SectionKind::strings) strings_known_ = false;
  if (kind == SectionKind::types) types_known_ = false;
  if (kind == SectionKind::static_frames) frames_known_ = false;
  truncate(rows_, kind, part.before);
}

void SharedTables::end_snapshot(Part& part, bool has_rows) {
  has_rows_ = has_rows;
  if (!has_rows) ++without_rows_;
  if (has_rows || layout_ == Layout::increments || layout_ == Layout::uncounted) {
    for (const auto kind : {SectionKind::strings, SectionKind::types, SectionKind::static_frames}) {
      if (part.state(kind) == SectionState::absent) lose(kind, part);
    }
    return fill_in(part);
  }
  if (without_rows_ > 1) layout_ = Layout::tables_behind;
  fill_in(part);
  part.after = counts_unknown;
}

void SharedTables::fill_in(Part& part) const {
  part.after = rows_.counts();
  part.strings_known = strings_known_;
  part.types_known = types_known_;
  part.frames_known = frames_known_;
}

bool SharedTables::end_file(Part& part, bool has_index) {
  const bool has_last =
      std::ranges::all_of(std::array{SectionKind::strings, SectionKind::types, SectionKind::static_frames},
                          [&](SectionKind kind) { return part.is_whole(kind); });
  const bool has_any_last = part.state(SectionKind::strings) != SectionState::absent;
  if (has_any_last && layout_ == Layout::unknown) {
    const bool is_empty = part.is_whole(SectionKind::strings) && last_rows_.strings.count() == 0;
    layout_ = is_empty && rows_.strings.count() != 0 ? Layout::uncounted : Layout::increments;
  }
  if (!has_rows_ && without_rows_ == 0) {
    layout_ = Layout::tables_behind;  // no snapshot at all
    rows_ = std::move(last_rows_);
    last_rows_ = {};
    fill_in(part);
    return has_any_last;
  }
  if (!has_any_last && has_rows_ && layout_ == Layout::unknown) {
    layout_ = has_index ? Layout::tables_behind : Layout::increments;
  }
  const bool is_known = strings_known_ && types_known_ && frames_known_;
  if (!is_known && has_last && layout_ == Layout::increments) {
    rows_ = last_rows_;
    strings_known_ = types_known_ = frames_known_ = true;
    fill_in(part);
    return true;
  }
  if (has_rows_ || without_rows_ == 0) return false;
  if (layout_ != Layout::tables_behind && layout_ != Layout::unknown) return false;
  strings_known_ = types_known_ = frames_known_ = false;
  fill_in(part);
  return true;
}

}  // namespace heapcheck::mvmheap::v2
