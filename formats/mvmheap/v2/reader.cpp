#include "formats/mvmheap/v2/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "formats/core/faults.hpp"
#include "formats/core/input_failure.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/mvmheap/v2/faults.hpp"
#include "formats/mvmheap/v2/recognise.hpp"

namespace heapcheck::mvmheap::v2 {
namespace {

using core::ByteSpan;

constexpr std::size_t order_of(SectionKind kind) { return static_cast<std::size_t>(kind); }
constexpr std::size_t strings_order = order_of(SectionKind::strings);

std::string_view describe(std::optional<SectionKind> kind) {
  return kind ? name_of(*kind) : std::string_view("the index");
}

/// The 32-byte records up to the end of the input: the first few records and the last record.
struct Records {
  std::vector<grammar::IndexEntry> first;
  std::uint64_t count = 0;
  grammar::Trailer last;
  std::uint64_t rest = 0;  ///< the number of bytes after the last record, fewer than 32
};

Records read_records(core::Window& window, std::uint64_t kept) {
  Records records;
  for (;;) {
    const core::ByteSpan bytes = window.peek(index_entry_bytes);
    const auto entry = grammar::index_entry(bytes);
    if (!entry) {
      records.rest = window.skip(bytes.size());
      return records;
    }
    if (records.count++ < kept) records.first.push_back(*entry);
    records.last = grammar::trailer(bytes).value_or(grammar::Trailer{});
    window.consume(index_entry_bytes);
  }
}

grammar::Trailer as_trailer(const grammar::IndexEntry& entry) {
  return {entry.collectables, entry.references, entry.middle, entry.increments};
}

/// The number of sizes that match the expected sizes.
int count_agreeing_sizes(const grammar::Trailer& found, const grammar::Trailer& expected) {
  return static_cast<int>(found.strings == expected.strings) +
         static_cast<int>(found.types == expected.types) +
         static_cast<int>(found.static_frames == expected.static_frames);
}

struct IndexRead {
  std::optional<Index> index;  ///< empty if the input ends inside it
  Span trailing;               ///< bytes after it that are not part of anything
};

/// Reads from the index at the front of the window to the end of the input. The index has one entry for each
/// snapshot in `container`, unless its own trailer states a different number. More entries are accepted only
/// if the trailer counts them.
IndexRead read_index_to_end(core::Window& window, const SectionContainer& container) {
  const std::uint64_t start = window.offset();
  const std::uint64_t snapshots = container.snapshots.size();
  Records records = read_records(window, snapshots + 1);
  Index index;
  const auto end_after = [&](std::uint64_t entries, const grammar::Trailer& trailer) {
    index.span = {start, (entries + 1) * index_entry_bytes};
    const Span trailing{index.span.end(), window.offset() - index.span.end()};
    if (records.first.size() > std::min(entries, snapshots))
      records.first.resize(static_cast<std::size_t>(std::min(entries, snapshots)));
    index.entries = std::move(records.first);
    index.trailer = trailer;
    return IndexRead{std::move(index), trailing};
  };
  // Any one size may be damaged, but two sizes do not match by chance.
  constexpr int enough = 2;
  const bool is_own_count =
      records.rest == 0 && records.count != 0 && records.last.snapshots == records.count - 1;
  if (records.count > snapshots) {
    const grammar::Trailer expected = as_trailer(records.first[static_cast<std::size_t>(snapshots)]);
    const bool is_expected =
        expected.snapshots == snapshots || count_agreeing_sizes(expected, container.last) >= enough;
    return is_expected || !is_own_count ? end_after(snapshots, expected)
                                        : end_after(records.count - 1, records.last);
  }
  if (is_own_count && count_agreeing_sizes(records.last, container.last) >= enough)
    return end_after(records.count - 1, records.last);
  return {};
}

}  // namespace

bool is_v2(ByteSpan first_bytes) { return grammar::magic(first_bytes); }

FrontReader::FrontReader(core::Window& window, const Limits& limits, core::FindingSink& sink)
    : WindowReader(window, limits, sink),
      assembly_(window, limits, sink),
      container_(assembly_.container()) {}

const Tables* FrontReader::repeated_tables() const {
  const bool has_all = container_.stopped && container_.layout == Layout::increments &&
                       container_.last_known && last_tables().counts() != TableCounts{};
  return has_all ? &last_tables() : nullptr;
}

std::optional<std::uint64_t> FrontReader::declared_snapshots() const {
  const std::optional<Index>& index = container_.index;
  if (!index || index->entries.size() != index->trailer.snapshots) return std::nullopt;
  return index->trailer.snapshots;
}

std::string FrontReader::snapshot_path() const {
  if (container_.snapshots.empty() || progress_ == Progress::ended) return "";
  return fmt::format("/snapshots/{}", container_.snapshots.size() - 1);
}

bool FrontReader::read_part(SectionPart& part) {
  if (progress_ == Progress::not_begun) {
    progress_ = Progress::snapshots;
    window_->skip(magic.size());
  }
  part.reset(container_.snapshots.size());
  if (begins_snapshot()) {
    read_snapshot(part);
    return true;
  }
  return std::exchange(progress_, Progress::ended) != Progress::ended && read_end(part);
}

/// Skips unknown bytes and sections that appear to be the last. Returns whether the window is at a snapshot
/// after that.
bool FrontReader::begins_snapshot() {
  if (before_ == Before::whole_snapshot && container_.sections.back().whole) quiet_ = false;
  while (!container_.stopped && progress_ != Progress::ended) {
    const auto kind = find_next();
    if (!kind && is_at_end_or_index()) return false;
    if (!kind) {
      skip_gap("collectables");
      continue;
    }
    if (before_ == Before::last_sections) end_stray_rows(*kind);
    if (order_of(*kind) < strings_order) return true;
    read_last_sections();
  }
  return false;
}

/// Corrects the assumption that the sections that were just read are the last sections, because another
/// section follows.
void FrontReader::end_stray_rows(SectionKind next) {
  if (!quiet_) {
    report(rules::section_order, {window_->offset(), tag_bytes}, "",
           fmt::format("found {}, expected the index", name_of(next)));
  }
  assembly_.tables().end_stray_rows(lost_snapshot_);
  last_.reset(container_.snapshots.size());
  for (auto section = container_.sections.rbegin(); section != container_.sections.rend() && section->is_last;
       ++section) {
    section->certain = section->is_last = false;
  }
  before_ = Before::nothing_whole;
  lost_snapshot_ = false;
  quiet_ = true;
}

/// Recognises the section at the front of the window, even if its head is damaged.
std::optional<SectionKind> FrontReader::find_next() {
  if (is_at_repeat()) skip_repeat();
  const Ahead ahead = look_ahead(*window_);
  if (const auto kind = find_section(ahead.bytes)) return kind;
  if (is_index(ahead.bytes, ahead.is_rest, container_)) return std::nullopt;
  return guess_section(ahead.bytes);
}

/// Whether the bytes at the front of the window repeat the section just read.
bool FrontReader::is_at_repeat() {
  if (last_bytes_.empty() || container_.sections.empty()) return false;
  const Section& last = container_.sections.back();
  if (!last.whole || window_->offset() != last.span.end()) return false;
  const ByteSpan bytes = look_ahead(*window_).bytes;
  const std::size_t length =
      static_cast<std::size_t>(std::min<std::uint64_t>(last.span.length, last_bytes_.size()));
  return bytes.size() >= length &&
         std::equal(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length), last_bytes_.begin());
}

void FrontReader::skip_repeat() {
  const Section& last = container_.sections.back();
  if (!quiet_) {
    report(rules::section_order, {window_->offset(), tag_bytes}, snapshot_path(),
           fmt::format("found {} a second time, expected another section", name_of(last.kind)));
  }
  quiet_ = true;
  window_->skip(last.span.length);
}

bool FrontReader::is_at_end_or_index() {
  const Ahead ahead = look_ahead(*window_);
  return ahead.bytes.empty() || is_index(ahead.bytes, ahead.is_rest, container_) ||
         (ahead.is_rest && is_cut_off(ahead.bytes, container_));
}

void FrontReader::read_snapshot(SectionPart& part) {
  assembly_.begin_snapshot(part);
  lost_snapshot_ = disordered_ = false;
  std::size_t next = 0;
  while (!container_.stopped) {
    const auto kind = find_next();
    if (!kind && is_at_end_or_index()) break;
    if (!kind) {
      skip_gap(next < section_kind_count ? info_of(static_cast<SectionKind>(next)).name : "collectables");
      continue;
    }
    // A section that should have come earlier begins the next snapshot.
    if (order_of(*kind) < next) break;
    const bool is_in_order = order_of(*kind) == next;
    if (!is_in_order) check_order(next, kind);
    const std::size_t already = container_.sections.size();
    read_section(part, *kind, false);
    const bool is_repeat = container_.sections.size() != already && container_.sections.back().is_repeat;
    if (is_in_order || !is_repeat) next = order_of(*kind) + 1;
  }
  end_snapshot(part, next);
}

/// Reports a section, or the index, where another section is expected.
void FrontReader::check_order(std::size_t expected, std::optional<SectionKind> found) {
  if (!container_.snapshots.empty() && before_ != Before::last_sections)
    container_.snapshots.back().known = false;
  const Ahead ahead = look_ahead(*window_);
  const bool is_cut = ahead.bytes.empty() || (ahead.is_rest && is_cut_off(ahead.bytes, container_));
  if (is_cut) return;
  disordered_ = true;
  if (quiet_) return;
  report(rules::section_order, {window_->offset(), tag_bytes}, snapshot_path(),
         fmt::format("found {}, expected {}", describe(found), name_of(static_cast<SectionKind>(expected))));
  quiet_ = true;
}

/// Whether a snapshot or the last sections follow the rows of `part`, rather than a section of `part` that
/// was swapped with another section.
bool FrontReader::goes_on_after_rows(const SectionPart& part) {
  const auto kind = find_next();
  return kind && (*kind == SectionKind::collectables || part.state(*kind) != SectionState::absent);
}

/// Ends a snapshot in which the section `next` is expected next. Reports this section if it is missing.
void FrontReader::end_snapshot(SectionPart& part, std::size_t next) {
  const bool has_rows = next > strings_order;
  const bool may_end = next == strings_order && !needs_rows(assembly_.tables().layout());
  const bool is_whole = !disordered_ && (next == section_kind_count || may_end);
  before_ = is_whole ? Before::whole_snapshot : Before::nothing_whole;
  if (!is_whole && !container_.stopped) check_order(next, find_next());
  const bool has_graph = part.is_whole(SectionKind::collectables) && part.is_whole(SectionKind::references);
  part.is_cut = !has_graph && (part.is_cut || (!is_whole && window_->at_end()));
  if (has_rows && !container_.stopped && goes_on_after_rows(part)) assembly_.tables().continue_after_rows();
  assembly_.end_snapshot(part, has_rows);
}

/// Reads the end of the file, after the last sections. Returns whether the end changes the tables.
bool FrontReader::read_end(SectionPart& part) {
  const bool has_index = !container_.stopped && is_at_end_or_index() && !window_->at_end();
  const bool tells_more = assembly_.end_file(part, last_, has_index);
  if (has_index && lacks_last_sections()) check_order(strings_order, std::nullopt);
  if (!container_.stopped) read_index();
  container_.stopped = true;
  if (stop_ != Stop::limit) window_->skip_to_end();
  if (stop_ != Stop::limit) report_failure({window_->offset(), 0}, "");
  container_.byte_count = window_->offset() + window_->look_ahead(core::Window::default_capacity).size();
  return tells_more;
}

/// Whether there are no rows before the index, or only the rows after a snapshot in layout A or C.
bool FrontReader::lacks_last_sections() const {
  if (before_ == Before::last_sections) return false;
  const bool has_rows =
      !container_.sections.empty() && container_.sections.back().kind >= SectionKind::strings;
  return !has_rows || container_.layout == Layout::increments || container_.layout == Layout::uncounted;
}

/// Reads the three sections at the end of a file in layout A or C, or of a file without snapshots.
void FrontReader::read_last_sections() {
  last_.reset(container_.snapshots.size());
  before_ = Before::last_sections;
  std::size_t next = strings_order;
  while (!container_.stopped && next < section_kind_count) {
    const auto kind = find_next();
    if (!kind && is_at_end_or_index()) break;
    if (!kind) {
      skip_gap(name_of(static_cast<SectionKind>(next)));
      continue;
    }
    if (order_of(*kind) != next) check_order(next, kind);
    if (order_of(*kind) < next) break;
    read_section(last_, *kind, true);
    next = order_of(*kind) + 1;
  }
  if (next < section_kind_count && !container_.stopped) check_order(next, find_next());
}

void FrontReader::read_section(SectionPart& part, SectionKind kind, bool is_last) {
  Section section;
  section.kind = kind;
  section.is_last = is_last;
  constexpr std::size_t most_compared = 64 * 1024;
  const ByteSpan bytes = look_ahead(*window_).bytes;
  const ByteSpan compared = bytes.first(std::min(bytes.size(), most_compared));
  last_bytes_.assign(compared.begin(), compared.end());
  const SectionOutcome outcome = assembly_.read_section(section, part);
  quiet_ = quiet_ || outcome != SectionOutcome::whole;
  if (outcome == SectionOutcome::whole || outcome == SectionOutcome::broken) return;
  part.is_cut = outcome == SectionOutcome::truncated;
  if (!part.is_cut) stop_ = Stop::limit;
  if (part.is_cut) report_end(fmt::format("inside {}", name_of(kind)), section.span.offset, path_of(section));
  container_.stopped = true;
}

void FrontReader::read_index() {
  if (!is_at_end_or_index()) return skip_gap("the index");
  const std::uint64_t start = window_->offset();
  const bool is_at_end = window_->at_end();
  const std::string inside = is_at_end                                ? ""
                             : is_cut_tag(look_ahead(*window_).bytes) ? "inside the head of a section"
                                                                      : "inside the index";
  IndexRead read = is_at_end ? IndexRead{} : read_index_to_end(*window_, container_);
  container_.index = std::move(read.index);
  if (!container_.index && !(is_at_end && quiet_)) report_end(inside, start, "/index");
  if (read.trailing.length == 0) return;
  report(rules::file_trailing_bytes, read.trailing, "",
         fmt::format("found {} after the index, expected none", core::counted(read.trailing.length, "byte")));
}

/// Skips bytes outside any section, up to the next section or the end.
void FrontReader::skip_gap(std::string_view expected) {
  const std::uint64_t start = window_->offset();
  find_next_section(*window_);
  const Span place{start, window_->offset() - start};
  report(rules::section_unaccounted, place, snapshot_path(),
         fmt::format("found {} outside any section, expected {}", core::counted(place.length, "byte"),
                     expected));
  if (!container_.snapshots.empty() && before_ != Before::last_sections)
    container_.snapshots.back().known = false;
  quiet_ = lost_snapshot_ = true;
}

/// Reports once why the input could not be read to the end. Returns false if it could be read.
bool FrontReader::report_failure(Span place, const std::string& path) {
  if (stop_ == Stop::failure) return true;
  if (!report_input_failure(place, path, container_.whole_snapshots)) return false;
  stop_ = Stop::failure;
  return true;
}

/// Reports that the input ends inside a section or the index, or between two sections.
void FrontReader::report_end(const std::string& inside, std::uint64_t start, const std::string& path) {
  window_->skip_to_end();
  const Span place{start, window_->offset() - start};
  if (report_failure(place, path)) return;
  const bool is_between = inside.empty() && before_ == Before::whole_snapshot;
  report(is_between ? rules::file_unfinished : rules::file_truncated, place, path,
         fmt::format("file ends {}, expected a complete index; {}",
                     is_between       ? "after a snapshot"
                     : inside.empty() ? "before the index"
                                      : inside,
                     count_whole_snapshots(container_.whole_snapshots)));
}

}  // namespace heapcheck::mvmheap::v2
