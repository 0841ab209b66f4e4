// The rules for tables and graphs, which are the same for all versions of MoarVM dumps.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "formats/core/finding_sink.hpp"
#include "heapcheck/types/finding.hpp"
#include "validate/mvmheap/view.hpp"
#include "validate/readers.hpp"

namespace heapcheck::validation::mvmheap::rules {

// One line per member, however long.
// clang-format off
inline constexpr Rule collectable_frame_range{
    .id = "mvm.collectable.frame-range", .severity = Severity::error, .stage = Stage::check,
    .title = "every frame refers to a static frame known at its snapshot",
    .reason = "A reader shows the wrong static frame or reads past the end of its table.",
    .example = "a frame with index 3 in a snapshot at which only static frames 0 to 2 are known",
    .advice = "Run heapcheck recover to keep the other snapshots. With --placeholder-names, it also keeps the ones that refer to unknown rows. If you write such files, write a static frame no later than the first snapshot that refers to it.",
    .anchor = "mvmheap/v3.md#collectables", .since = "0.1"};
inline constexpr Rule collectable_kind{
    .id = "mvm.collectable.kind", .severity = Severity::error, .stage = Stage::check,
    .title = "the kind of a collectable is between 1 and 11",
    .reason = "A reader cannot tell what the collectable is or which table its index refers to.",
    .example = "12 in colkind, or 12,0,24,0,0,0 among the collectables of a version 1 file",
    .advice = "Run heapcheck recover to keep the other snapshots. If you write such files, use only the kinds listed in the specification.",
    .anchor = "mvmheap/v3.md#collectables", .since = "0.1"};
inline constexpr Rule collectable_root{
    .id = "mvm.collectable.root", .severity = Severity::error, .stage = Stage::check,
    .title = "collectable 0, and no other, is the root",
    .reason = "Paths and retained sizes are computed from collectable 0. If the root is elsewhere or there is a second one, they are wrong.",
    .example = "collectables 0 and 1, both of kind 9, the root",
    .advice = "Run heapcheck recover to keep the other snapshots. If you write such files, make the root the first collectable of each snapshot, and give kind 9 to no other.",
    .anchor = "mvmheap/v3.md#collectables", .since = "0.1"};
inline constexpr Rule collectable_root_count{
    .id = "mvm.collectable.root-count", .severity = Severity::warning, .stage = Stage::check,
    .title = "a snapshot with threads has one collectable for permanent roots, one for instance roots, and equal numbers of collectables for C stack, thread and inter-generational roots",
    .reason = "MoarVM writes each kind of root once, or once for each thread. A kind was therefore changed after the snapshot was written, and roots are shown under the wrong name.",
    .example = "two collectables of kind 8, thread roots, and one of kind 7, C stack roots",
    .advice = "The graph can be read; compare the names of the references to the roots with their kinds. If you write such files, write all roots of each thread.",
    .anchor = "mvmheap/v3.md#collectables", .since = "0.1"};
inline constexpr Rule collectable_root_fields{
    .id = "mvm.collectable.root-fields", .severity = Severity::error, .stage = Stage::check,
    .title = "collectables of kinds 5 to 11 have index 0 and sizes 0",
    .reason = "Roots are not objects and occupy no memory, so an index or a size there is wrong. A wrong size also makes the totals wrong.",
    .example = "size 8 in a collectable of kind 5, the permanent roots",
    .advice = "Run heapcheck recover to keep the other snapshots. If you write such files, write 0 as index, size and unmanaged size of every root.",
    .anchor = "mvmheap/v3.md#collectables", .since = "0.1"};
inline constexpr Rule collectable_size_sum{
    .id = "mvm.collectable.size-sum", .severity = Severity::error, .stage = Stage::check,
    .title = "the sizes of all collectables of a snapshot add up to less than 2^64 - 1",
    .reason = "Readers add up the sizes in 64 bits, so every total that they show is wrong. No heap is that large.",
    .example = "an object with unmanaged_size 0xffffffffffffffff next to an object with size 24",
    .advice = "Run heapcheck recover to see what can be kept. If you write such files, write the number of bytes that a collectable really uses.",
    .anchor = "mvmheap/v3.md#collectables", .since = "0.1"};
inline constexpr Rule collectable_type_range{
    .id = "mvm.collectable.type-range", .severity = Severity::error, .stage = Stage::check,
    .title = "every object, type object and STable refers to a type known at its snapshot",
    .reason = "A reader shows the wrong type or reads past the end of its table.",
    .example = "an object with index 3 in a snapshot at which only types 0 to 2 are known",
    .advice = "Run heapcheck recover to keep the other snapshots. With --placeholder-names, it also keeps the ones that refer to unknown rows. If you write such files, write a type no later than the first snapshot that refers to it.",
    .anchor = "mvmheap/v3.md#collectables", .since = "0.1"};
inline constexpr Rule collectable_unreachable{
    .id = "mvm.collectable.unreachable", .severity = Severity::error, .stage = Stage::check,
    .title = "every collectable can be reached from the root",
    .reason = "The writer records only what it reaches from the root, so a reference that led to the collectable has been lost.",
    .example = "object 17 in a snapshot in which no reference has target 17",
    .advice = "Run heapcheck recover to keep the other snapshots. If you write such files, write every reference that you follow, with the index of the collectable that it leads to.",
    .anchor = "mvmheap/v3.md#reachability", .since = "0.1"};
inline constexpr Rule frames_duplicate{
    .id = "mvm.frames.duplicate", .severity = Severity::warning, .stage = Stage::check,
    .title = "no two static frames have the same name, compilation unit, line and file",
    .reason = "Counts by static frame are split between the rows.",
    .example = "static frames 0 and 2, both 11,12,1,13",
    .advice = "Add up the counts of identical rows. If you write such files, look for an identical static frame before you add a row.",
    .anchor = "mvmheap/v3.md#tables", .since = "0.1"};
inline constexpr Rule frames_string_range{
    .id = "mvm.frames.string-range", .severity = Severity::error, .stage = Stage::check,
    .title = "the name, compilation unit and file of a static frame are strings known at its snapshot",
    .reason = "A reader shows the wrong name or reads past the end of its table.",
    .example = "22 in sfcuid where only strings 0 to 21 are known",
    .advice = "Run heapcheck recover --placeholder-names to keep the graphs with placeholders for the lost names. If you write such files, write a string no later than the first row that refers to it.",
    .anchor = "mvmheap/v3.md#tables", .since = "0.1"};
inline constexpr Rule frames_unused{
    .id = "mvm.frames.unused", .severity = Severity::warning, .stage = Stage::check,
    .title = "every static frame is used",
    .reason = "MoarVM adds a static frame when something first needs it, so whatever referred to it was changed after it was written.",
    .example = "static frame 7 of 8, although no snapshot contains a frame with index 7",
    .advice = "The file can be read; look for a name that is wrong. If you write such files, leave out rows that nothing refers to.",
    .anchor = "mvmheap/v3.md#tables", .since = "0.1"};
inline constexpr Rule refs_count{
    .id = "mvm.refs.count", .severity = Severity::error, .stage = Stage::check,
    .title = "the number of references of a snapshot is the sum of the num_refs of its collectables",
    .reason = "Rows are missing from one of the two tables, or one of them belongs to another snapshot, so a reader combines collectables with the wrong references.",
    .example = "1732 references in a snapshot whose num_refs add up to 1778, with ranges that end at 1778",
    .advice = "Run heapcheck recover to keep the other snapshots. If you write such files, write every collectable and every reference of a snapshot.",
    .anchor = "mvmheap/v3.md#references", .since = "0.1"};
inline constexpr Rule refs_kind{
    .id = "mvm.refs.kind", .severity = Severity::error, .stage = Stage::check,
    .title = "the kind of a reference is 0, 1 or 2",
    .reason = "A reader cannot tell what the index of the reference means.",
    .example = "3,1,2 among the references of a version 1 file: a reference of kind 3",
    .advice = "Run heapcheck recover to keep the other snapshots. If you write such files, use kind 1 for numbers, kind 2 for names, and kind 0 for everything else.",
    .anchor = "mvmheap/v3.md#references", .since = "0.1"};
inline constexpr Rule refs_partition{
    .id = "mvm.refs.partition", .severity = Severity::error, .stage = Stage::check,
    .title = "every reference belongs to exactly one collectable",
    .reason = "A reader follows references that belong to a different collectable, or misses some of the collectable's own.",
    .example = "one collectable with references 0 to 6 and another with references 6 to 7: both claim reference 6",
    .advice = "Run heapcheck recover to keep the other snapshots. If you write such files, write the references of each collectable one after another, and count them in num_refs.",
    .anchor = "mvmheap/v3.md#references", .since = "0.1"};
inline constexpr Rule refs_range{
    .id = "mvm.refs.range", .severity = Severity::error, .stage = Stage::check,
    .title = "the references of a collectable are inside the reference table",
    .reason = "A reader reads past the end of the table.",
    .example = "refs_start 24 and num_refs 1 in a snapshot with 24 references",
    .advice = "Run heapcheck recover to keep the other snapshots. If you write such files, make sure that refs_start plus num_refs is at most the number of references.",
    .anchor = "mvmheap/v3.md#references", .since = "0.1"};
inline constexpr Rule refs_stable{
    .id = "mvm.refs.stable", .severity = Severity::warning, .stage = Stage::check,
    .title = "each object and type object has one <STable> reference, to an STable of its type, and STables have none",
    .reason = "MoarVM writes this reference for every object, so a type, a kind or a reference was changed after the snapshot was written.",
    .example = "an object of type 3 whose <STable> reference leads to an STable of type 5",
    .advice = "The graph can be read, but the type of the object or the STable is wrong; look at the other objects of the type. If you write such files, write the reference to the STable for every object and type object.",
    .anchor = "mvmheap/v3.md#references", .since = "0.1"};
inline constexpr Rule refs_string_range{
    .id = "mvm.refs.string-range", .severity = Severity::error, .stage = Stage::check,
    .title = "every reference of kind 2 refers to a string known at its snapshot",
    .reason = "A reader shows the wrong name or reads past the end of its table.",
    .example = "a reference of kind 2 with index 22 in a snapshot at which only strings 0 to 21 are known",
    .advice = "Run heapcheck recover to keep the other snapshots. With --placeholder-names, it also keeps the ones that refer to unknown rows. If you write such files, write a string no later than the first snapshot that refers to it.",
    .anchor = "mvmheap/v3.md#references", .since = "0.1"};
inline constexpr Rule refs_target_range{
    .id = "mvm.refs.target-range", .severity = Severity::error, .stage = Stage::check,
    .title = "the target of every reference is a collectable of the same snapshot",
    .reason = "A reader reads past the end of the collectables.",
    .example = "target 21 in a snapshot with collectables 0 to 20",
    .advice = "Run heapcheck recover to keep the other snapshots. If you write such files, use indices into the collectables of the same snapshot as targets.",
    .anchor = "mvmheap/v3.md#references", .since = "0.1"};
inline constexpr Rule refs_unknown_index{
    .id = "mvm.refs.unknown-index", .severity = Severity::error, .stage = Stage::check,
    .title = "a reference of kind 0 has index 0",
    .reason = "The index has no meaning there, so either the kind or the index is wrong.",
    .example = "4 in refdescr, which is kind 0 with index 1",
    .advice = "Run heapcheck recover to keep the other snapshots. If you write such files, write index 0 if you do not know how the collectable refers to the target.",
    .anchor = "mvmheap/v3.md#references", .since = "0.1"};
inline constexpr Rule strings_duplicate{
    .id = "mvm.strings.duplicate", .severity = Severity::warning, .stage = Stage::check,
    .title = "no string occurs twice",
    .reason = "Readers that count or group by string index treat equal names as different ones.",
    .example = "\"Foo\" as string 7 and again as string 22",
    .advice = "Compare names by their text, not by their index. If you write such files, look for an identical string before you add one.",
    .anchor = "mvmheap/v3.md#strings", .since = "0.1"};
inline constexpr Rule strings_nul{
    .id = "mvm.strings.nul", .severity = Severity::error, .stage = Stage::check,
    .title = "strings contain no NUL",
    .reason = "The writer ends a name at its first NUL, so the name itself or a length before it is damaged.",
    .example = "the bytes 46 00 6f as a string of three bytes",
    .advice = "Run heapcheck recover --placeholder-names to keep the graphs with placeholders for the lost names. If you write such files, end each string before its first NUL.",
    .anchor = "mvmheap/v3.md#strings", .since = "0.1"};
inline constexpr Rule strings_unused{
    .id = "mvm.strings.unused", .severity = Severity::warning, .stage = Stage::check,
    .title = "every string is used",
    .reason = "MoarVM adds a string when something first needs it, so whatever referred to it was changed after it was written.",
    .example = "string 21 of 22, to which no reference, type or static frame refers",
    .advice = "The file can be read; look for a name that is wrong. If you write such files, leave out rows that nothing refers to.",
    .anchor = "mvmheap/v3.md#tables", .since = "0.1"};
inline constexpr Rule strings_utf8{
    .id = "mvm.strings.utf8", .severity = Severity::error, .stage = Stage::check,
    .title = "strings are valid UTF-8",
    .reason = "A reader refuses the string or shows the wrong characters.",
    .example = "the bytes 46 ff 6f: no UTF-8 text contains ff",
    .advice = "Run heapcheck recover --placeholder-names to keep the graphs with placeholders for the lost names. If you write such files, replace invalid UTF-8 before you write a string.",
    .anchor = "mvmheap/v3.md#strings", .since = "0.1"};
inline constexpr Rule tables_lost_rows{
    .id = "mvm.tables.lost-rows", .severity = Severity::error, .stage = Stage::check,
    .title = "the tables contain every row that is referred to",
    .reason = "Rows are missing from a table, so everything that refers to rows after the gap is shown with the wrong name.",
    .example = "a table of 134 strings in a file with 98 references to string 134",
    .advice = "Run heapcheck recover --placeholder-names to keep the graphs with placeholders for the lost names. If you write such files, write all rows that a snapshot refers to.",
    .anchor = "mvmheap/v3.md#tables", .since = "0.1"};
inline constexpr Rule types_duplicate{
    .id = "mvm.types.duplicate", .severity = Severity::warning, .stage = Stage::check,
    .title = "no two types have the same representation and name",
    .reason = "Counts by type are split between the rows.",
    .example = "types 0 and 3, both with representation 6 and name 7",
    .advice = "Add up the counts of identical rows. If you write such files, look for an identical type before you add a row.",
    .anchor = "mvmheap/v3.md#tables", .since = "0.1"};
inline constexpr Rule types_string_range{
    .id = "mvm.types.string-range", .severity = Severity::error, .stage = Stage::check,
    .title = "the representation and name of a type are strings known at its snapshot",
    .reason = "A reader shows the wrong name or reads past the end of its table.",
    .example = "22 in typename where only strings 0 to 21 are known",
    .advice = "Run heapcheck recover --placeholder-names to keep the graphs with placeholders for the lost names. If you write such files, write a string no later than the first row that refers to it.",
    .anchor = "mvmheap/v3.md#tables", .since = "0.1"};
inline constexpr Rule types_unused{
    .id = "mvm.types.unused", .severity = Severity::warning, .stage = Stage::check,
    .title = "every type is used",
    .reason = "MoarVM adds a type when something first needs it, so whatever referred to it was changed after it was written.",
    .example = "type 5 of 6, although no snapshot contains an object, type object or STable of that type",
    .advice = "The file can be read; look for a name that is wrong. If you write such files, leave out rows that nothing refers to.",
    .anchor = "mvmheap/v3.md#tables", .since = "0.1"};
inline constexpr std::array all{&collectable_frame_range, &collectable_kind, &collectable_root, &collectable_root_count, &collectable_root_fields, &collectable_size_sum, &collectable_type_range, &collectable_unreachable, &frames_duplicate, &frames_string_range, &frames_unused, &refs_count, &refs_kind, &refs_partition, &refs_range, &refs_stable, &refs_string_range, &refs_target_range, &refs_unknown_index, &strings_duplicate, &strings_nul, &strings_unused, &strings_utf8, &tables_lost_rows, &types_duplicate, &types_string_range, &types_unused};
// clang-format on

}  // namespace heapcheck::validation::mvmheap::rules

namespace heapcheck::validation::mvmheap {

// All model rules for one snapshot, in the order of their dependencies. Rules whose preconditions are
// violated are skipped, so that one cause produces only one finding.

/// The shared tables that could be read completely.
struct TablesKnown {
  bool strings = true;
  bool types = true;
  bool frames = true;
};

/// The columns of a snapshot that follow the rules. Rules that depend on others are not checked.
struct SoundColumns {
  bool kinds = true;       ///< of collectables
  bool indices = true;     ///< of types and static frames
  bool sizes = true;       ///< of collectables
  bool references = true;  ///< all columns of references, and which collectables have them

  /// Whether the graph can be followed.
  [[nodiscard]] bool has_graph() const { return kinds && references; }
};

/// Checks one snapshot. The columns of each table must be complete and have the same length.
SoundColumns check_snapshot(const SnapshotView& view, const TablesKnown& tables, core::FindingSink& sink);

// Rules for the collectables of one snapshot. They apply to all versions of MoarVM dumps.

void check_kinds(const SnapshotView& view, core::FindingSink& sink);
void check_root(const SnapshotView& view, core::FindingSink& sink);
/// mvm.collectable.type-range. Requires a complete types table.
void check_type_indices(const SnapshotView& view, core::FindingSink& sink);
/// mvm.collectable.frame-range. Requires a complete static frames table.
void check_frame_indices(const SnapshotView& view, core::FindingSink& sink);
void check_root_fields(const SnapshotView& view, core::FindingSink& sink);
/// mvm.collectable.size-sum.
void check_size_sum(const SnapshotView& view, core::FindingSink& sink);

// A rule that versions 1 and 2 of MoarVM dumps share: refs_start is 0 in collectables without references.

/// Reports `rule` for each collectable without references whose refs_start is not 0.
void check_childless_starts(const SnapshotView& view, const Rule& rule, core::FindingSink& sink);

// Rules for the references of one snapshot and for the graph that they form. They apply to all versions of
// MoarVM dumps.

/// Collectables and references that do not belong together.
struct Mismatch {
  std::uint64_t owned = 0;  ///< the sum of num_refs
  Field field{};            ///< the field of the first value that points outside the other table
  std::uint64_t first = 0;  ///< the row of that value
};
/// Finds a mismatch: the sum of num_refs is not the number of references, and more than one range or target
/// is outside its table. If there is only one such value, that value itself may be wrong.
std::optional<Mismatch> find_mismatch(const model::Snapshot& snapshot);

/// mvm.refs.count. Returns whether it makes sense to check the collectables and references.
bool check_reference_count(const SnapshotView& view, core::FindingSink& sink);
/// mvm.refs.range: compares the range of each collectable with the length of the table.
void check_ranges(const SnapshotView& view, core::FindingSink& sink);
/// mvm.refs.partition. Requires that no range violates mvm.refs.range.
void check_partition(const SnapshotView& view, core::FindingSink& sink);
/// mvm.refs.kind, mvm.refs.unknown-index and, if the strings are known, mvm.refs.string-range.
void check_descriptions(const SnapshotView& view, bool strings_known, core::FindingSink& sink);

/// mvm.refs.target-range.
void check_targets(const SnapshotView& view, core::FindingSink& sink);
/// mvm.collectable.unreachable. Requires valid ranges and targets, and an exact partition.
void check_reachability(const SnapshotView& view, core::FindingSink& sink);

// Checks the requirements of readers of MoarVM dumps that go beyond the format.

/// Reports the sizes that are too large for moar-ha, comma or moarperf. Does nothing for any other reader.
void check_sizes_for(Reader reader, const SnapshotView& view, core::FindingSink& sink);

/// Reports the strings from `first` to `last` that moar-ha cannot parse. Does nothing for any other reader.
void check_names_for(Reader reader, const model::Tables& tables, std::uint64_t first, std::uint64_t last,
                     const Locate& locate, core::FindingSink& sink);

}  // namespace heapcheck::validation::mvmheap
