#include "formats/mvmheap/v2/assembly.hpp"

#include <fmt/format.h>

#include <utility>

#include <algorithm>
#include <array>

#include "formats/core/faults.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/mvmheap/v2/entries.hpp"
#include "formats/mvmheap/v2/faults.hpp"
#include "formats/mvmheap/v2/recognise.hpp"

namespace heapcheck::mvmheap::v2 {
namespace {

/// The memory for the placeholder of a lost string: its text, its entry in growing columns, and the
/// additional memory for rules.
constexpr std::uint64_t lost_string_bytes = 160;

constexpr bool holds_rows(SectionKind kind) { return kind >= SectionKind::strings; }

/// Whether the last three sections are row sections without errors.
bool ends_with_rows(const SectionContainer& container) {
  constexpr std::array kinds{SectionKind::strings, SectionKind::types, SectionKind::static_frames};
  if (container.sections.size() < kinds.size()) return false;
  return std::equal(kinds.begin(), kinds.end(), container.sections.end() - kinds.size(),
                    [](SectionKind kind, const Section& section) {
                      return section.kind == kind && section.whole && section.certain;
                    });
}

}  // namespace

void Assembly::begin_snapshot(SectionPart& part) {
  part.has_snapshot = true;
  container_.snapshots.emplace_back();
  tables_.begin_snapshot(part);
}

/// Whether there are missing or extra collectables rather than an incorrect count.
bool Assembly::lacks_collectables(const SectionPart& part) const {
  const Section& section = container_.sections[part.section(SectionKind::collectables)];
  return section.count != section.declared_count &&
         count_owned(part.snapshot.collectables) != part.snapshot.references.count();
}

void Assembly::end_snapshot(SectionPart& part, bool has_rows) {
  part.has_whole_graph = part.is_whole(SectionKind::collectables) && part.is_whole(SectionKind::references) &&
                         part.snapshot.has_equal_columns() && !lacks_collectables(part);
  part.has_whole_snapshot = part.has_whole_graph;
  if (part.has_whole_snapshot) ++container_.whole_snapshots;
  const bool has_both = part.state(SectionKind::collectables) != SectionState::absent &&
                        part.state(SectionKind::references) != SectionState::absent;
  container_.snapshots.back().lacks_rows = has_both && !has_rows && !needs_rows(tables_.layout());
  tables_.end_snapshot(part, has_rows);
}

SectionOutcome Assembly::read_section(Section& section, SectionPart& part) {
  section.span.offset = window_->offset();
  section.part = part.index;
  if (section.kind == SectionKind::strings && !fill_strings(part)) return SectionOutcome::stopped;
  section.rows_before = count_rows(section.kind);
  section.rows_counted = tables_.are_strings_counted();
  if (container_.sections.size() >= limits_.max_blocks) {
    sink_->report({&core::rules::limit_items,
                   {{section.span.offset, 0}},
                   fmt::format("file exceeds the limit of {} sections", limits_.max_blocks)});
    return SectionOutcome::stopped;
  }
  const SectionOutcome outcome = read_content(section, part);
  section.span.length = window_->offset() - section.span.offset;
  section.whole = outcome == SectionOutcome::whole;
  if (holds_rows(section.kind)) tables_.enter(section, part);
  const bool adds_rows = section.whole && holds_rows(section.kind) && !section.is_last;
  section.is_repeat = adds_rows && tables_.drop_repeated_rows(section);
  // If its end was not read, a section has no size to compare with the index.
  if (outcome == SectionOutcome::truncated || outcome == SectionOutcome::stopped) return outcome;
  const auto kind = static_cast<std::size_t>(section.kind);
  part.states[kind] = section.whole ? SectionState::whole : SectionState::broken;
  part.sections[kind] = container_.sections.size();
  container_.sections.push_back(section);
  add_sizes(section, part);
  return outcome;
}

bool Assembly::end_file(SectionPart& part, const SectionPart& last, bool has_index) {
  const bool tells_more = tables_.end_file(part, last, has_index);
  part.states = last.states;
  part.sections = last.sections;
  container_.layout = tables_.layout();
  container_.last_known = ends_with_rows(container_);
  check_string_counts();
  check_missing_rows();
  return tells_more;
}

/// Adds placeholders for lost strings if the strings section at the front of the window counts the earlier
/// strings. Returns whether there is memory for the placeholders.
bool Assembly::fill_strings(SectionPart& part) {
  const std::size_t head_bytes = info_of(SectionKind::strings).head_bytes;
  const core::ByteSpan bytes = look_ahead(*window_).bytes;
  const auto count = grammar::strings_head(bytes.subspan(std::min(bytes.size(), tag_bytes)));
  const bool adds_none = find_section(bytes.subspan(std::min(bytes.size(), head_bytes))).has_value();
  const std::uint64_t most = window_->offset() / info_of(SectionKind::strings).least_entry_bytes;
  const std::uint64_t held = memory_needed(part, tables_.rows());
  const core::MemoryBudget memory(limits_.max_memory);
  const std::uint64_t room = (memory.max() - std::min(held, memory.max())) / lost_string_bytes;
  if (!count || tables_.fill_strings(*count, adds_none, most, room, part)) {
    if (part.lost_strings.count != 0) report_lost_strings();
    return true;
  }
  sink_->report({&core::rules::limit_memory, {{window_->offset(), 0}}, memory.describe_lack("lost strings")});
  return false;
}

/// Blames the last strings section for missing strings that the next strings section counts, unless this has
/// already been reported.
void Assembly::report_lost_strings() {
  const auto& list = container_.sections;
  const auto last = std::ranges::find(list.rbegin(), list.rend(), SectionKind::strings, &Section::kind);
  if (last == list.rend() || !last->whole || !last->certain) return;
  sink_->report({&rules::section_count,
                 {{last->span.offset, last->span.length}, std::nullopt, path_of(*last)},
                 fmt::format("section has {}, expected {} according to the count of the next strings",
                             core::counted(last->count, "string"),
                             tables_.rows().strings.count() - last->rows_before)});
}

/// The number of rows in the table to which a section of this kind adds.
std::uint64_t Assembly::count_rows(SectionKind kind) const {
  const TableCounts counts = tables_.rows().counts();
  if (kind == SectionKind::strings) return counts.strings;
  if (kind == SectionKind::types) return counts.types;
  return kind == SectionKind::static_frames ? counts.static_frames : 0;
}

SectionOutcome Assembly::read_content(Section& section, SectionPart& part) {
  Tables& rows = tables_.rows_of(section);
  sections_.set_other_memory(section.is_last ? tables_.rows().memory() : 0);
  switch (section.kind) {
    case SectionKind::collectables:
      return sections_.read_collectables(section, part, rows);
    case SectionKind::references:
      return sections_.read_references(section, part, rows);
    case SectionKind::strings:
      return sections_.read_strings(section, part, rows);
    case SectionKind::types:
    case SectionKind::static_frames:
      return sections_.read_rows(section, part, rows, tables_.upper_halves());
  }
  return SectionOutcome::broken;
}

/// Adds the size of a section to the expected index.
void Assembly::add_sizes(const Section& section, const SectionPart& part) {
  const std::uint64_t size = section.span.length;
  grammar::Trailer& last = container_.last;
  last.snapshots = container_.snapshots.size();
  if (section.kind == SectionKind::strings) last.strings = size;
  if (section.kind == SectionKind::types) last.types = size;
  if (section.kind == SectionKind::static_frames) last.static_frames = size;
  const bool is_certain = section.whole && section.certain;
  if (section.is_last) return;
  SnapshotSizes& sizes = container_.snapshots.back();
  sizes.known = sizes.known && is_certain;
  if (section.kind == SectionKind::collectables) {
    sizes.entry.collectables = size;
  } else if (section.kind == SectionKind::references) {
    sizes.entry.references = size;
    const bool is_counted = section.count == section.declared_count;
    if (section.count < 2) return;
    // If the count in the head is wrong, the requested reference is not the first of the second half. spec:
    // mvmheap/v2.md#index
    sizes.entry.middle = (is_counted ? part.places.answer
                                     : find_reference(part, section.count / 2, section.span.end()).offset) -
                         section.span.offset;
  } else {
    sizes.entry.increments += size;
  }
}

/// Reports snapshots without rows if later sections show that rows should follow each snapshot.
void Assembly::check_missing_rows() {
  if (!needs_rows(container_.layout)) return;
  for (const Section& section : container_.sections) {
    if (section.kind != SectionKind::references) continue;
    SnapshotSizes& snapshot = container_.snapshots[section.part];
    if (!snapshot.lacks_rows || !snapshot.known) continue;
    core::report_or_count(
        *sink_, {&rules::section_order,
                 {{section.span.end(), tag_bytes}, std::nullopt, fmt::format("/snapshots/{}", section.part)},
                 "found no rows after the snapshot, expected strings as after other snapshots"});
  }
}

/// Checks the counts of strings, whose meaning depends on the layout. In layout C, lost strings make all
/// later counts wrong by the same number, which is only reported once. In the other layouts, a wrong count
/// means that strings are missing or were added, so the size of the rows is also wrong.
void Assembly::check_string_counts() {
  const bool counts_before = container_.layout == Layout::uncounted;
  std::uint64_t difference = 0;  // modulo 2^64
  for (const Section& section : container_.sections) {
    if (section.kind != SectionKind::strings || !section.whole || !section.certain) continue;
    if (counts_before && !section.rows_counted) continue;
    const std::uint64_t required = counts_before ? section.rows_before : section.count;
    const std::uint64_t known_difference = std::exchange(difference, section.declared_count - required);
    if (difference == 0 || (counts_before && difference == known_difference)) continue;
    sink_->report(
        {&rules::section_count,
         {{section.span.offset + tag_bytes, sizeof(std::uint64_t)}, std::nullopt, path_of(section)},
         counts_before
             ? fmt::format("count is {}, expected {}, the number of strings in earlier sections (layout C)",
                           section.declared_count, required)
             : fmt::format("count is {}, expected {}, the number of strings in the section",
                           section.declared_count, required)});
    if (!counts_before && !section.is_last) container_.snapshots[section.part].known = false;
  }
}

}  // namespace heapcheck::mvmheap::v2
