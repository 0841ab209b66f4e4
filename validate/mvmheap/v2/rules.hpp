// The rules that only version 2 files can violate.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "formats/core/finding_sink.hpp"
#include "formats/mvmheap/model.hpp"
#include "formats/mvmheap/v2/container.hpp"
#include "heapcheck/types/finding.hpp"
#include "validate/mvmheap/rules.hpp"
#include "validate/mvmheap/view.hpp"

namespace heapcheck::validation::mvmheap::v2::rules {

// One line per member, however long.
// clang-format off
inline constexpr Rule collectables_childless_start{
    .id = "mvm2.collectables.childless-start", .severity = Severity::warning, .stage = Stage::check,
    .title = "a collectable without references has refs_start 0",
    .reason = "MoarVM writes 0 there, so another program wrote the file or num_refs was changed.",
    .example = "a collectable with refs_start 7 and num_refs 0",
    .advice = "The graph can be read; check whether the collectable should have references. If you write such files, write 0 as refs_start where num_refs is 0.",
    .anchor = "mvmheap/v2.md#collectables", .since = "0.1"};
inline constexpr Rule index_collectables_size{
    .id = "mvm2.index.collectables-size", .severity = Severity::error, .stage = Stage::check,
    .title = "collectables_size in the index is the size of the snapshot's collectables section",
    .reason = "A reader that uses the index looks for the references in the wrong place.",
    .example = "a collectables_size of 189 for a section of 188 bytes, with six collectables",
    .advice = "Run heapcheck recover to write the file with a correct index. If you write such files, include the tag and head of a section in its size.",
    .anchor = "mvmheap/v2.md#index", .since = "0.1"};
inline constexpr Rule index_incremental_size{
    .id = "mvm2.index.incremental-size", .severity = Severity::error, .stage = Stage::check,
    .title = "incremental_size in the index is the size of the rows after the snapshot",
    .reason = "A reader that uses the index looks for the next snapshot in the wrong place.",
    .example = "an incremental_size of 52 in layout B, where no rows follow a snapshot",
    .advice = "Run heapcheck recover to write the file with a correct index. If you write such files, add up the sizes of strs, type and fram in layout A, and write 0 in layout B.",
    .anchor = "mvmheap/v2.md#index", .since = "0.1"};
inline constexpr Rule index_middle{
    .id = "mvm2.index.middle", .severity = Severity::error, .stage = Stage::check,
    .title = "`middle` in the index is where the second half of the references starts",
    .reason = "A reader that reads the two halves in parallel mistakes other bytes for references.",
    .example = "a middle of 36 in a section whose second half starts 32 bytes after its start",
    .advice = "Run heapcheck recover to write the file with a correct index. If you write such files, write the distance in bytes from the tag of refs to reference n / 2, rounded down, where n is the number of references.",
    .anchor = "mvmheap/v2.md#index", .since = "0.1"};
inline constexpr Rule index_references_size{
    .id = "mvm2.index.references-size", .severity = Severity::error, .stage = Stage::check,
    .title = "references_size in the index is the size of the snapshot's references section",
    .reason = "A reader that uses the index looks for the next snapshot in the wrong place.",
    .example = "a references_size of 7963 for a section of 7962 bytes",
    .advice = "Run heapcheck recover to write the file with a correct index. If you write such files, include the tag and head of a section in its size.",
    .anchor = "mvmheap/v2.md#index", .since = "0.1"};
inline constexpr Rule index_skipped{
    .id = "mvm2.index.skipped", .severity = Severity::note, .stage = Stage::check,
    .title = "the index has an entry for each snapshot, in order",
    .reason = "If a confprog program makes MoarVM skip snapshots, the sizes of each later snapshot are in a later entry, or missing, and an entry of zeros is left for each snapshot that was skipped. Readers that use the index find the wrong bytes.",
    .example = "two snapshots, an entry of zeros, and then an entry with the sizes of snapshot 0",
    .advice = "Run heapcheck convert --to mvmheap-v2:increments to write the file with a complete index. If you write such files, number the entries by the snapshots that you write.",
    .anchor = "mvmheap/v2.md#quirks", .since = "0.1"};
inline constexpr Rule index_uncounted{
    .id = "mvm2.index.uncounted", .severity = Severity::note, .stage = Stage::check,
    .title = "the index counts the rows after a snapshot",
    .reason = "Since 2019.11, MoarVM writes 0 instead. A reader that uses the index, such as the published analyser App::MoarVM::HeapAnalyzer, is off by the size of the rows, starting with the second snapshot.",
    .example = "an incremental_size of 0 for a snapshot followed by strs, type and fram",
    .advice = "Run heapcheck convert --to mvmheap-v2:increments to write the file with a complete index. If you write such files, add up the sizes of strs, type and fram.",
    .anchor = "mvmheap/v2.md#quirks", .since = "0.1"};
inline constexpr Rule refs_wide{
    .id = "mvm2.refs.wide", .severity = Severity::note, .stage = Stage::check,
    .title = "every reference has the narrowest width that is sufficient",
    .reason = "The reference can be read but takes more bytes than necessary. MoarVM before 2017.11 wrote all references in 64 bits on systems where a C long has 32.",
    .example = "width 1 (16 bits) for index 254 and target 3, which fit in 8 bits",
    .advice = "Run heapcheck convert --to mvmheap-v2 to make the file smaller. If you write such files, choose the width by the larger of index and target.",
    .anchor = "mvmheap/v2.md#references", .since = "0.1"};
inline constexpr Rule rows_upper_half{
    .id = "mvm2.rows.upper-half", .severity = Severity::note, .stage = Stage::check,
    .title = "the upper half of every field of a type or static frame is 0",
    .reason = "Since 2019.11, MoarVM writes 64 bits for each 32-bit field. The upper half repeats the next field, and readers must ignore it.",
    .example = "a repr_name of 0x200000001: string 1, with 2, the next field, in the upper half",
    .advice = "Use only the lower 32 bits, or run heapcheck convert --to mvmheap-v2:increments to write the file without the upper halves. If you write such files, extend the fields to 64 bits with zeros.",
    .anchor = "mvmheap/v2.md#quirks", .since = "0.1"};
inline constexpr Rule rows_upper_mismatch{
    .id = "mvm2.rows.upper-mismatch", .severity = Severity::warning, .stage = Stage::check,
    .title = "in layout C, the upper half of every field but the last repeats the next field",
    .reason = "MoarVM writes the field and the bytes after it in memory, so one of the two was changed afterwards: a type or static frame may have the wrong name.",
    .example = "a repr_name of 0x200000001 before a type_name of 3",
    .advice = "Compare the names of the type or static frame with the program. If you write such files, extend the fields to 64 bits with zeros.",
    .anchor = "mvmheap/v2.md#tables", .since = "0.1"};
inline constexpr Rule strings_count_before{
    .id = "mvm2.strings.count-before", .severity = Severity::note, .stage = Stage::check,
    .title = "the count of a strings section is the number of strings in it",
    .reason = "Since 2019.11, MoarVM writes the number of strings before the section instead. The section ends where the types start.",
    .example = "a count of 4909 in a section of 68 strings that follow 4909 others",
    .advice = "Run heapcheck convert --to mvmheap-v2:increments to write the file with the right counts. If you write such files, count the strings of the section.",
    .anchor = "mvmheap/v2.md#quirks", .since = "0.1"};
inline constexpr Rule tables_repeated{
    .id = "mvm2.tables.repeated", .severity = Severity::error, .stage = Stage::check,
    .title = "the last sections of layout A repeat all rows that follow the snapshots",
    .reason = "A reader that uses the rows after the snapshots and a reader that uses the last sections show different names.",
    .example = "string 3 is \"main\" after the first snapshot and \"mayn\" in the last section",
    .advice = "Compare the two rows to see which one is right; heapcheck recover keeps the rows after the snapshots. If you write such files, write the last sections from the same tables as the rows after the snapshots.",
    .anchor = "mvmheap/v2.md#layouts", .since = "0.1"};
inline constexpr Rule trailer_frames_size{
    .id = "mvm2.trailer.frames-size", .severity = Severity::error, .stage = Stage::check,
    .title = "static_frames_size in the trailer is the size of the last static frames section",
    .reason = "A reader that works backwards from the end looks for the tables in the wrong place.",
    .example = "a static_frames_size of 124 for a section of 116 bytes, with three static frames",
    .advice = "Run heapcheck recover to write the file with a correct index. If you write such files, include the tag and head of a section in its size.",
    .anchor = "mvmheap/v2.md#index", .since = "0.1"};
inline constexpr Rule trailer_snapshots{
    .id = "mvm2.trailer.snapshots", .severity = Severity::error, .stage = Stage::check,
    .title = "the snapshots field in the trailer is the number of snapshots",
    .reason = "A reader misses snapshots or mistakes other bytes for the index.",
    .example = "a snapshots field of 1 in a file with two snapshots",
    .advice = "Run heapcheck recover to write the file with a correct index. If you write such files, write the number of entries in the index.",
    .anchor = "mvmheap/v2.md#index", .since = "0.1"};
inline constexpr Rule trailer_strings_size{
    .id = "mvm2.trailer.strings-size", .severity = Severity::error, .stage = Stage::check,
    .title = "strings_size in the trailer is the size of the last strings section",
    .reason = "A reader that works backwards from the end looks for the tables in the wrong place.",
    .example = "a strings_size of 2808 for a section of 2800 bytes",
    .advice = "Run heapcheck recover to write the file with a correct index. If you write such files, include the tag, the count and the length of every string in the size as well as the text.",
    .anchor = "mvmheap/v2.md#index", .since = "0.1"};
inline constexpr Rule trailer_types_size{
    .id = "mvm2.trailer.types-size", .severity = Severity::error, .stage = Stage::check,
    .title = "types_size in the trailer is the size of the last types section",
    .reason = "A reader that works backwards from the end looks for the tables in the wrong place.",
    .example = "a types_size of 556 for a section of 548 bytes, with 33 types",
    .advice = "Run heapcheck recover to write the file with a correct index. If you write such files, include the tag and head of a section in its size.",
    .anchor = "mvmheap/v2.md#index", .since = "0.1"};
inline constexpr std::array all{&collectables_childless_start, &index_collectables_size, &index_incremental_size, &index_middle, &index_references_size, &index_skipped, &index_uncounted, &refs_wide, &rows_upper_half, &rows_upper_mismatch, &strings_count_before, &tables_repeated, &trailer_frames_size, &trailer_snapshots, &trailer_strings_size, &trailer_types_size};
// clang-format on

}  // namespace heapcheck::validation::mvmheap::v2::rules

namespace heapcheck::validation::mvmheap::v2 {

namespace model = heapcheck::mvmheap;
namespace format = heapcheck::mvmheap::v2;

// Rules for whole sections of a version 2 file, and notes about the quirks of layout C.

/// mvm2.tables.repeated. `last` contains the rows of the last sections. All tables must have been read
/// completely.
void check_last_tables(const format::SectionContainer& container, const model::Tables& tables,
                       const model::Tables& last, core::FindingSink& sink);

/// Reports each quirk as a note once per file.
void check_quirks(const format::SectionContainer& container, core::FindingSink& sink);

/// mvm2.rows.upper-mismatch. All rows must follow the rules.
void check_upper_halves(const format::SectionContainer& container, core::FindingSink& sink);

// Rules for the index of a version 2 file, which compare its entries with the sections found.

/// Applies these rules to the index. Leaves out sections that could not be read, and sections that belong to
/// the snapshots in `faulty`, which is sorted.
void check_index(const format::SectionContainer& container, std::span<const std::uint64_t> faulty,
                 core::FindingSink& sink);

// Checks the indices in snapshots whose tables come later, as in layout B, or in layout A if rows are
// damaged. Remembers the largest index into each table for each snapshot, and checks it once the table is
// known. Owns the locations.

class LateRanges {
 public:
  /// Remembers the largest index into each table that is not known yet.
  void add(const SnapshotView& view, const TablesKnown& known);
  /// mvm.collectable.type-range, mvm.collectable.frame-range and mvm.refs.string-range for the tables that
  /// are known, with at most one finding per snapshot and table.
  void check(const model::TableCounts& counts, const TablesKnown& known, core::FindingSink& sink) const;
  /// Whether check() would report a reference whose place was not found because the references are not held.
  [[nodiscard]] bool needs_places(const model::TableCounts& counts, const TablesKnown& known) const;

 private:
  struct Use {
    std::uint64_t index = 0;
    Location location;
    bool is_placed = true;
  };
  void add_strings(const SnapshotView& view);

  std::vector<Use> strings_;
  std::vector<Use> types_;
  std::vector<Use> frames_;
};

}  // namespace heapcheck::validation::mvmheap::v2
