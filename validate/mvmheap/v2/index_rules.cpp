#include "validate/mvmheap/v2/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/core/finding_groups.hpp"
#include "formats/mvmheap/v2/container.hpp"

namespace heapcheck::validation::mvmheap::v2 {
namespace {

using format::grammar::IndexEntry;
using format::grammar::Trailer;

constexpr std::uint64_t field_bytes = 8;

template <class Record>
struct FieldRule {
  std::uint64_t Record::* member;
  std::string_view name;
  const Rule* rule;
};

constexpr std::array<FieldRule<IndexEntry>, 4> entry_rules{{
    {&IndexEntry::collectables, "collectables_size", &rules::index_collectables_size},
    {&IndexEntry::references, "references_size", &rules::index_references_size},
    {&IndexEntry::middle, "middle", &rules::index_middle},
    {&IndexEntry::increments, "incremental_size", &rules::index_incremental_size},
}};
constexpr std::array<FieldRule<Trailer>, 4> trailer_rules{{
    {&Trailer::strings, "strings_size", &rules::trailer_strings_size},
    {&Trailer::types, "types_size", &rules::trailer_types_size},
    {&Trailer::static_frames, "static_frames_size", &rules::trailer_frames_size},
    {&Trailer::snapshots, "snapshots", &rules::trailer_snapshots},
}};

/// Compares a record at `place` with the expected one, and adds the fields that differ to `wrong`.
template <class Record>
void compare_record(const Record& found, const Record& expected, Span place,
                    std::span<const FieldRule<Record>> fields, const std::string& path,
                    core::FindingGroups& wrong) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const FieldRule<Record>& field = fields[i];
    if (found.*field.member == expected.*field.member) continue;
    wrong.add(*field.rule, i, [&] {
      return Finding{
          field.rule,
          {{place.offset + i * field_bytes, field_bytes},
           std::nullopt,
           fmt::format("{}/{}", path, field.name)},
          fmt::format("{} is {}, expected {}", field.name, found.*field.member, expected.*field.member)};
    });
  }
}

/// Returns whether an entry of layout C does not count the rows after its snapshot.
bool is_uncounted(const format::SectionContainer& container, std::size_t i) {
  return container.layout == format::Layout::uncounted && container.index->entries[i].increments == 0 &&
         container.snapshots[i].entry.increments != 0;
}

/// Whether an entry of layout B or C has the sizes of this snapshot.
bool has_sizes(const IndexEntry& found, const format::SnapshotSizes& snapshot) {
  IndexEntry expected = snapshot.entry;
  if (found.increments == 0) expected.increments = 0;
  return !snapshot.known || found == expected;
}

/// The first entry of zeros, if the index looks like those that MoarVM writes when confprog skips snapshots.
/// MoarVM writes the sizes of a snapshot to the entry whose number is that of the collection, and skipped
/// collections are numbered too. Whenever MoarVM doubles the number of entries, starting at 32, it clears the
/// second half. spec: mvmheap/v2.md#quirks
std::optional<std::size_t> find_skipped(const format::SectionContainer& container) {
  constexpr std::size_t first_capacity = 32;
  if (container.layout == format::Layout::increments) return std::nullopt;
  std::optional<std::size_t> skipped;
  std::size_t next = 0;
  for (std::size_t i = 0; i < container.index->entries.size(); ++i) {
    const IndexEntry& entry = container.index->entries[i];
    if (i >= first_capacity && std::has_single_bit(i)) next = i;
    if (entry == IndexEntry{}) {
      skipped = skipped.value_or(i);
    } else {
      if (next == container.snapshots.size() || !has_sizes(entry, container.snapshots[next]))
        return std::nullopt;
      ++next;
    }
  }
  return skipped;
}

void report_skipped(const format::SectionContainer& container, std::size_t skipped, core::FindingSink& sink) {
  sink.report({&rules::index_skipped,
               {container.index->entry_place(skipped), std::nullopt, fmt::format("/index/{}", skipped)},
               "entry has only zeros, a quirk of MoarVM when confprog skips snapshots; expected the sizes of "
               "the snapshot"});
}

void check_entries(const format::SectionContainer& container, std::span<const std::uint64_t> faulty,
                   core::FindingGroups& wrong, core::FindingSink& sink) {
  const format::Index& index = *container.index;
  const auto skipped = find_skipped(container);
  if (skipped) report_skipped(container, *skipped, sink);
  bool is_noted = false;
  for (std::size_t i = 0; i < std::min(index.entries.size(), container.snapshots.size()); ++i) {
    const std::string path = fmt::format("/index/{}", i);
    if (!container.snapshots[i].known) {
      sink.skip({path, "the snapshot could not be read completely"});
      continue;
    }
    if (std::ranges::binary_search(faulty, i)) {
      sink.skip({path, "the collectables and references of the snapshot do not match"});
      continue;
    }
    IndexEntry expected = container.snapshots[i].entry;
    // Layout B has no rows after a snapshot, and in layout C, MoarVM omits their size. spec:
    // mvmheap/v2.md#quirks
    if (container.layout == format::Layout::tables_at_end || is_uncounted(container, i))
      expected.increments = 0;
    if (!skipped)
      compare_record<IndexEntry>(index.entries[i], expected, index.entry_place(i), entry_rules, path, wrong);
    if (is_noted || !is_uncounted(container, i)) continue;
    is_noted = true;
    const Span place{index.entry_place(i).offset + 3 * field_bytes, field_bytes};
    sink.report(
        {&rules::index_uncounted,
         {place, std::nullopt, path + "/incremental_size"},
         fmt::format(
             "incremental_size is 0, expected {}, the size of the rows after the snapshot; readers that use "
             "the index miss them",
             container.snapshots[i].entry.increments)});
  }
}

}  // namespace

void check_index(const format::SectionContainer& container, std::span<const std::uint64_t> faulty,
                 core::FindingSink& sink) {
  if (!container.index) return;
  const bool is_whole = std::ranges::all_of(container.snapshots, &format::SnapshotSizes::known);
  const bool agrees = container.index->trailer.snapshots == container.snapshots.size();
  if (!is_whole && !agrees) return sink.skip({"/index", "snapshots are missing or damaged"});
  // If more than two fields are wrong, there is a common cause, such as a lost entry.
  core::FindingGroups wrong(sink, *trailer_rules[0].rule,
                            {.few = 2, .add_count = core::count_wrong("fields of the index")});
  check_entries(container, faulty, wrong, sink);
  Trailer expected = container.last;
  if (!container.last_known) {
    sink.skip({"/index/trailer", "the last sections could not be read completely"});
    expected = container.index->trailer;
    expected.snapshots = container.snapshots.size();
  }
  compare_record<Trailer>(container.index->trailer, expected, container.index->trailer_place(), trailer_rules,
                          "/index/trailer", wrong);
  wrong.report();
}

}  // namespace heapcheck::validation::mvmheap::v2
