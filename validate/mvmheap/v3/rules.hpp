// The rules that only version 3 files can violate.
#pragma once

#include <array>

#include "formats/core/finding_sink.hpp"
#include "formats/mvmheap/v3/container.hpp"
#include "formats/mvmheap/v3/part.hpp"
#include "heapcheck/types/finding.hpp"

namespace heapcheck::validation::mvmheap::v3::rules {

// One line per member, however long.
// clang-format off
inline constexpr Rule block_empty{
    .id = "mvm3.block.empty", .severity = Severity::warning, .stage = Stage::check,
    .title = "blocks that add rows to the shared tables have rows",
    .reason = "MoarVM leaves these blocks out if there is nothing new, so rows may have been lost.",
    .example = "a strings block without strings",
    .advice = "Check whether names are missing. If you write such files, leave out the blocks of a table to which nothing is added.",
    .anchor = "mvmheap/v3.md#order", .since = "0.1"};
inline constexpr Rule column_length{
    .id = "mvm3.column.length", .severity = Severity::error, .stage = Stage::check,
    .title = "all columns of a table have the same length",
    .reason = "A reader builds rows from values that do not belong together.",
    .example = "20 values in colsize and 21 in the other columns of the collectables",
    .advice = "Run heapcheck recover to keep the snapshots whose columns match. If you write such files, append one value to every column of a table for each row.",
    .anchor = "mvmheap/v3.md#columns", .since = "0.1"};
inline constexpr Rule file_unfinished{
    .id = "mvm3.file.unfinished", .severity = Severity::note, .stage = Stage::check,
    .title = "the file ends with the part that closes the run",
    .reason = "The process ended between two snapshots. Everything it wrote can be read, but nothing was recorded after that.",
    .example = "a file that ends with the outer table of contents of a snapshot",
    .advice = "Run heapcheck convert --to mvmheap-v3 to write a finished file, because some readers leave out the last snapshot of an unfinished one. If you write such files, add the closing part when the run ends.",
    .anchor = "mvmheap/v3.md#file", .since = "0.1"};
inline constexpr Rule highscores_filler{
    .id = "mvm3.highscores.filler", .severity = Severity::note, .stage = Stage::check,
    .title = "unused entries of a highscore list are 0",
    .reason = "MoarVM leaves whatever was in memory there, so readers should skip these entries.",
    .example = "a score of 12345 in the second entry of a list when only one type is in use",
    .advice = "Ignore the entries after the last type or static frame in use. If you write such files, fill unused entries with 0.",
    .anchor = "mvmheap/v3.md#quirks", .since = "0.1"};
inline constexpr Rule highscores_length{
    .id = "mvm3.highscores.length", .severity = Severity::error, .stage = Stage::check,
    .title = "topIDs and topscore contain four lists of entry_count entries each",
    .reason = "A reader splits the columns into lists in the wrong places.",
    .example = "\"entry_count\": 4 in filemeta, and 12 values in topIDs and in topscore",
    .advice = "Run heapcheck recover to compute the highscores again. If you write such files, write entry_count ids and scores for each list, padded with 0.",
    .anchor = "mvmheap/v3.md#highscores", .since = "0.1"};
inline constexpr Rule highscores_mismatch{
    .id = "mvm3.highscores.mismatch", .severity = Severity::error, .stage = Stage::check,
    .title = "highscores match the columns",
    .reason = "Readers show the highscores without reading the columns.",
    .example = "a score of 5 for a type with 3 objects in the columns",
    .advice = "Run heapcheck recover to compute the highscores again. If you write such files, compute the highscores from the collectables that you write.",
    .anchor = "mvmheap/v3.md#highscores", .since = "0.1"};
inline constexpr Rule snapmeta_gc_order{
    .id = "mvm3.snapmeta.gc-order", .severity = Severity::error, .stage = Stage::check,
    .title = "gc_seq_num does not decrease from one snapshot to the next",
    .reason = "Readers identify a snapshot by the garbage collection in which it was taken.",
    .example = "\"gc_seq_num\": 3 in one snapshot and \"gc_seq_num\": 2 in the next",
    .advice = "Run heapcheck recover to raise the number to that of the previous snapshot. If you write such files, write snapshots in the order in which they are taken.",
    .anchor = "mvmheap/v3.md#snapmeta", .since = "0.1"};
inline constexpr Rule snapmeta_time_order{
    .id = "mvm3.snapmeta.time-order", .severity = Severity::error, .stage = Stage::check,
    .title = "snap_time does not decrease from one snapshot to the next and is not before start_time",
    .reason = "The clock is monotonic, so one of the times is wrong, and so are the durations computed from it.",
    .example = "\"start_time\": 1000000 in filemeta and \"snap_time\": 999999 in the first snapshot",
    .advice = "Run heapcheck recover to raise the time to the previous one. If you write such files, use a monotonic clock, and the same one for all times.",
    .anchor = "mvmheap/v3.md#snapmeta", .since = "0.1"};
inline constexpr Rule snapmeta_totals{
    .id = "mvm3.snapmeta.totals", .severity = Severity::error, .stage = Stage::check,
    .title = "the totals in snapmeta match the columns",
    .reason = "Readers show the totals without reading the columns.",
    .example = "\"total_objects\": 7 in a snapshot with six collectables of kind 1",
    .advice = "Run heapcheck recover to compute the totals again. If you write such files, compute the totals from the collectables that you write.",
    .anchor = "mvmheap/v3.md#snapmeta", .since = "0.1"};
inline constexpr Rule snapmeta_uncounted_frames{
    .id = "mvm3.snapmeta.uncounted-frames", .severity = Severity::note, .stage = Stage::check,
    .title = "total_frames counts every frame",
    .reason = "MoarVM does not count frames that are still on the call stack, so the total can be slightly too low.",
    .example = "\"total_frames\": 2625 in a snapshot with 2626 collectables of kind 4",
    .advice = "Count the collectables of kind 4 if you need the exact number. If you write such files, count the frames on the call stack as well.",
    .anchor = "mvmheap/v3.md#quirks", .since = "0.1"};
inline constexpr Rule toc_duplicate_entry{
    .id = "mvm3.toc.duplicate-entry", .severity = Severity::error, .stage = Stage::check,
    .title = "a table of contents lists each block only once",
    .reason = "A reader reads the content of the block twice.",
    .example = "two entries for the block colsize at 426",
    .advice = "Run heapcheck recover to write the file with new tables of contents. If you write such files, add one entry to the table for each block that you write.",
    .anchor = "mvmheap/v3.md#toc", .since = "0.1"};
inline constexpr Rule toc_entry_bounds{
    .id = "mvm3.toc.entry-bounds", .severity = Severity::error, .stage = Stage::check,
    .title = "table of contents entries end after their start and inside the file",
    .reason = "A reader that seeks there fails.",
    .example = "an entry 8000-9120 in a file of 8192 bytes",
    .advice = "Run heapcheck recover to write the file with new tables of contents. If you write such files, record the offset before and after you write each block.",
    .anchor = "mvmheap/v3.md#toc", .since = "0.1"};
inline constexpr Rule toc_entry_end{
    .id = "mvm3.toc.entry-end", .severity = Severity::error, .stage = Stage::check,
    .title = "table of contents entries end where their blocks end",
    .reason = "A reader reads more or less than the block.",
    .example = "an entry 223-425 for a block that ends at 426",
    .advice = "Run heapcheck recover to write the file with new tables of contents. If you write such files, use the offset after the last byte of the block, or after the last entry of a table of contents.",
    .anchor = "mvmheap/v3.md#toc", .since = "0.1"};
inline constexpr Rule toc_entry_kind{
    .id = "mvm3.toc.entry-kind", .severity = Severity::error, .stage = Stage::check,
    .title = "table of contents entries have the kind of the block at their start",
    .reason = "A reader mistakes the block for one of a different kind, or does not find it.",
    .example = "an entry for colkind that starts at a block of kind colsize",
    .advice = "Run heapcheck recover to write the file with new tables of contents. If you write such files, write the same 8 bytes as the kind of the block and of its entry.",
    .anchor = "mvmheap/v3.md#toc", .since = "0.1"};
inline constexpr Rule toc_entry_order{
    .id = "mvm3.toc.entry-order", .severity = Severity::error, .stage = Stage::check,
    .title = "the entries of an outer table of contents are in the order of the parts in the file",
    .reason = "A reader that starts at the end numbers the snapshots, and the rows that they add to the shared tables, by the order of the entries, so it shows other snapshots and other names.",
    .example = "an outer table of contents that lists the inner table at 8192 before the one at 4096",
    .advice = "Run heapcheck recover to write the file with new tables of contents. If you write such files, append the entry for a part when you have written it.",
    .anchor = "mvmheap/v3.md#toc", .since = "0.1"};
inline constexpr Rule toc_entry_start{
    .id = "mvm3.toc.entry-start", .severity = Severity::error, .stage = Stage::check,
    .title = "table of contents entries point to blocks",
    .reason = "A reader that seeks there finds something else.",
    .example = "an entry for colkind that starts at 427, one byte after the start of the block",
    .advice = "Run heapcheck recover to write the file with new tables of contents. If you write such files, use the offset at which the block begins, with the first byte of its kind.",
    .anchor = "mvmheap/v3.md#toc", .since = "0.1"};
inline constexpr Rule toc_missing_entry{
    .id = "mvm3.toc.missing-entry", .severity = Severity::error, .stage = Stage::check,
    .title = "a table of contents lists every block that it covers",
    .reason = "A reader that uses the table does not find the block.",
    .example = "an inner table of contents without an entry for the colsize of its snapshot",
    .advice = "Run heapcheck recover to write the file with new tables of contents. If you write such files, list all blocks of the part in its inner table, and filemeta and all inner tables in the outer one.",
    .anchor = "mvmheap/v3.md#toc", .since = "0.1"};
inline constexpr std::array all{&block_empty, &column_length, &file_unfinished, &highscores_filler, &highscores_length, &highscores_mismatch, &snapmeta_gc_order, &snapmeta_time_order, &snapmeta_totals, &snapmeta_uncounted_frames, &toc_duplicate_entry, &toc_entry_bounds, &toc_entry_end, &toc_entry_kind, &toc_entry_order, &toc_entry_start, &toc_missing_entry};
// clang-format on

}  // namespace heapcheck::validation::mvmheap::v3::rules

namespace heapcheck::validation::mvmheap::v3 {

namespace format = heapcheck::mvmheap::v3;

// Rules for the tables of contents of a version 3 file, which compare entries with the blocks in the file in
// both directions.

/// Checks every table of contents that was read. Requires the container of the whole file.
void check_tocs(const format::BlockContainer& container, core::FindingSink& sink);

// Rules for the lengths of the columns in one part of a version 3 file.

/// mvm3.column.length, for collectables, references, types and static frames.
void check_column_lengths(const format::BlockContainer& container, const format::BlockPart& part,
                          core::FindingSink& sink);

/// mvm3.block.empty for the blocks of a part that add rows to the shared tables.
void check_empty_blocks(const format::BlockContainer& container, const format::BlockPart& part,
                        core::FindingSink& sink);

/// mvm3.comma.entry-size, for every column of a part.
void check_entry_sizes_for_comma(const format::BlockContainer& container, const format::BlockPart& part,
                                 core::FindingSink& sink);

}  // namespace heapcheck::validation::mvmheap::v3
