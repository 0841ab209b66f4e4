// What must hold of a version 3 file.
#pragma once

#include <array>

#include "heapcheck/finding.hpp"

namespace heapcheck::validation::mvmheap::v3::rules {

// One line a member, however long.
// clang-format off
inline constexpr Rule column_length{
    .id = "mvm3.column.length", .severity = Severity::error, .stage = Stage::check,
    .title = "the columns of one table are equally long",
    .reason = "Rows would be put together from values that do not belong together.",
    .anchor = "mvmheap/v3.md#columns", .since = "0.1"};
inline constexpr Rule file_unfinished{
    .id = "mvm3.file.unfinished", .severity = Severity::note, .stage = Stage::check,
    .title = "the file ends with the part that closes the run",
    .reason = "The process ended between two snapshots. What it wrote can be read; what came later was not recorded.",
    .anchor = "mvmheap/v3.md#file", .since = "0.1"};
inline constexpr Rule highscores_filler{
    .id = "mvm3.highscores.filler", .severity = Severity::note, .stage = Stage::check,
    .title = "places of a highscore list beyond the last type or frame are 0",
    .reason = "MoarVM leaves there what was in memory; readers should pass it over.",
    .anchor = "mvmheap/v3.md#quirks", .since = "0.1"};
inline constexpr Rule highscores_length{
    .id = "mvm3.highscores.length", .severity = Severity::error, .stage = Stage::check,
    .title = "topIDs and topscore have entry_count places for each of four lists",
    .reason = "A reader cuts the columns into lists at wrong places.",
    .anchor = "mvmheap/v3.md#highscores", .since = "0.1"};
inline constexpr Rule highscores_mismatch{
    .id = "mvm3.highscores.mismatch", .severity = Severity::error, .stage = Stage::check,
    .title = "highscores are those of the columns",
    .reason = "Readers show the highscores without reading the columns.",
    .anchor = "mvmheap/v3.md#highscores", .since = "0.1"};
inline constexpr Rule snapmeta_gc_order{
    .id = "mvm3.snapmeta.gc-order", .severity = Severity::error, .stage = Stage::check,
    .title = "numbers of garbage collections do not decrease",
    .reason = "Readers tell snapshots apart by the collection they were taken in.",
    .anchor = "mvmheap/v3.md#snapmeta", .since = "0.1"};
inline constexpr Rule snapmeta_time_order{
    .id = "mvm3.snapmeta.time-order", .severity = Severity::error, .stage = Stage::check,
    .title = "times do not decrease from the start of the run on",
    .reason = "The clock is monotonic, so a time is wrong and durations taken from it are too.",
    .anchor = "mvmheap/v3.md#snapmeta", .since = "0.1"};
inline constexpr Rule snapmeta_totals{
    .id = "mvm3.snapmeta.totals", .severity = Severity::error, .stage = Stage::check,
    .title = "the totals of a snapmeta are those of the columns",
    .reason = "Readers show the totals without reading the columns.",
    .anchor = "mvmheap/v3.md#snapmeta", .since = "0.1"};
inline constexpr Rule snapmeta_uncounted_frames{
    .id = "mvm3.snapmeta.uncounted-frames", .severity = Severity::note, .stage = Stage::check,
    .title = "total_frames counts every frame",
    .reason = "MoarVM does not count frames that are still on the call stack.",
    .anchor = "mvmheap/v3.md#quirks", .since = "0.1"};
inline constexpr Rule toc_duplicate_entry{
    .id = "mvm3.toc.duplicate-entry", .severity = Severity::error, .stage = Stage::check,
    .title = "a table of contents lists a block once",
    .reason = "A reader takes the block's content twice.",
    .anchor = "mvmheap/v3.md#toc", .since = "0.1"};
inline constexpr Rule toc_entry_bounds{
    .id = "mvm3.toc.entry-bounds", .severity = Severity::error, .stage = Stage::check,
    .title = "an entry of a table of contents ends behind its start and inside the file",
    .reason = "A reader that seeks there fails.",
    .anchor = "mvmheap/v3.md#toc", .since = "0.1"};
inline constexpr Rule toc_entry_end{
    .id = "mvm3.toc.entry-end", .severity = Severity::error, .stage = Stage::check,
    .title = "an entry of a table of contents ends where its block ends",
    .reason = "A reader takes too much or too little for the block.",
    .anchor = "mvmheap/v3.md#toc", .since = "0.1"};
inline constexpr Rule toc_entry_kind{
    .id = "mvm3.toc.entry-kind", .severity = Severity::error, .stage = Stage::check,
    .title = "an entry of a table of contents names the kind of the block at its start",
    .reason = "A reader takes the block for another one, or does not find it.",
    .anchor = "mvmheap/v3.md#toc", .since = "0.1"};
inline constexpr Rule toc_entry_start{
    .id = "mvm3.toc.entry-start", .severity = Severity::error, .stage = Stage::check,
    .title = "an entry of a table of contents starts where a block starts",
    .reason = "A reader that seeks there finds something else.",
    .anchor = "mvmheap/v3.md#toc", .since = "0.1"};
inline constexpr Rule toc_missing_entry{
    .id = "mvm3.toc.missing-entry", .severity = Severity::error, .stage = Stage::check,
    .title = "a table of contents lists every block it is for",
    .reason = "A reader that goes by the table does not find the block.",
    .anchor = "mvmheap/v3.md#toc", .since = "0.1"};
inline constexpr std::array all{&column_length, &file_unfinished, &highscores_filler, &highscores_length, &highscores_mismatch, &snapmeta_gc_order, &snapmeta_time_order, &snapmeta_totals, &snapmeta_uncounted_frames, &toc_duplicate_entry, &toc_entry_bounds, &toc_entry_end, &toc_entry_kind, &toc_entry_start, &toc_missing_entry};
// clang-format on

}  // namespace heapcheck::validation::mvmheap::v3::rules
