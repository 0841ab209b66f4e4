// What must hold of a version 2 file.
#pragma once

#include <array>

#include "heapcheck/finding.hpp"

namespace heapcheck::validation::mvmheap::v2::rules {

// One line a member, however long.
// clang-format off
inline constexpr Rule collectables_childless_start{
    .id = "mvm2.collectables.childless-start", .severity = Severity::warning, .stage = Stage::check,
    .title = "a collectable without references has refs_start 0",
    .reason = "MoarVM writes 0 there, so another writer made the file or num_refs has changed.",
    .anchor = "mvmheap/v2.md#collectables", .since = "0.1"};
inline constexpr Rule index_collectables_size{
    .id = "mvm2.index.collectables-size", .severity = Severity::error, .stage = Stage::check,
    .title = "the index gives the size of a snapshot's collectables",
    .reason = "A reader that goes by the index looks for the references in the wrong place.",
    .anchor = "mvmheap/v2.md#index", .since = "0.1"};
inline constexpr Rule index_incremental_size{
    .id = "mvm2.index.incremental-size", .severity = Severity::error, .stage = Stage::check,
    .title = "the index gives the size of the rows behind a snapshot",
    .reason = "A reader that goes by the index looks for the next snapshot in the wrong place.",
    .anchor = "mvmheap/v2.md#index", .since = "0.1"};
inline constexpr Rule index_middle{
    .id = "mvm2.index.middle", .severity = Severity::error, .stage = Stage::check,
    .title = "the index says where the second half of the references starts",
    .reason = "A reader that reads both halves at a time takes other bytes for references.",
    .anchor = "mvmheap/v2.md#index", .since = "0.1"};
inline constexpr Rule index_references_size{
    .id = "mvm2.index.references-size", .severity = Severity::error, .stage = Stage::check,
    .title = "the index gives the size of a snapshot's references",
    .reason = "A reader that goes by the index looks for the next snapshot in the wrong place.",
    .anchor = "mvmheap/v2.md#index", .since = "0.1"};
inline constexpr Rule index_uncounted{
    .id = "mvm2.index.uncounted", .severity = Severity::note, .stage = Stage::check,
    .title = "the index counts the rows behind a snapshot",
    .reason = "MoarVM since 2019.11 writes 0. A reader that goes by the index, as the published analyser App::MoarVM::HeapAnalyzer does, is off by their size from the second snapshot on.",
    .anchor = "mvmheap/v2.md#quirks", .since = "0.1"};
inline constexpr Rule refs_wide{
    .id = "mvm2.refs.wide", .severity = Severity::note, .stage = Stage::check,
    .title = "a reference has the narrowest width that holds it",
    .reason = "It can be read, but takes more bytes. MoarVM before 2017.11 wrote all references with 64 bits where a long has 32.",
    .anchor = "mvmheap/v2.md#references", .since = "0.1"};
inline constexpr Rule rows_upper_half{
    .id = "mvm2.rows.upper-half", .severity = Severity::note, .stage = Stage::check,
    .title = "the upper half of a field of a type or static frame is 0",
    .reason = "MoarVM since 2019.11 writes 64 bits of fields that have 32: the upper half belongs to the next one, and is cut off.",
    .anchor = "mvmheap/v2.md#quirks", .since = "0.1"};
inline constexpr Rule strings_count_before{
    .id = "mvm2.strings.count-before", .severity = Severity::note, .stage = Stage::check,
    .title = "the count of strings is that of the section",
    .reason = "MoarVM since 2019.11 writes how many strings stand before the section. It ends where types start.",
    .anchor = "mvmheap/v2.md#quirks", .since = "0.1"};
inline constexpr Rule tables_repeated{
    .id = "mvm2.tables.repeated", .severity = Severity::error, .stage = Stage::check,
    .title = "the last sections of layout A repeat all rows that stood behind the snapshots",
    .reason = "A reader that takes the one shows other names than a reader that takes the other.",
    .anchor = "mvmheap/v2.md#layouts", .since = "0.1"};
inline constexpr Rule trailer_frames_size{
    .id = "mvm2.trailer.frames-size", .severity = Severity::error, .stage = Stage::check,
    .title = "the trailer gives the size of the last static frames",
    .reason = "A reader that goes back from the end looks for the tables in the wrong place.",
    .anchor = "mvmheap/v2.md#index", .since = "0.1"};
inline constexpr Rule trailer_snapshots{
    .id = "mvm2.trailer.snapshots", .severity = Severity::error, .stage = Stage::check,
    .title = "the trailer counts the snapshots",
    .reason = "A reader misses snapshots, or takes other bytes for the index.",
    .anchor = "mvmheap/v2.md#index", .since = "0.1"};
inline constexpr Rule trailer_strings_size{
    .id = "mvm2.trailer.strings-size", .severity = Severity::error, .stage = Stage::check,
    .title = "the trailer gives the size of the last strings",
    .reason = "A reader that goes back from the end looks for the tables in the wrong place.",
    .anchor = "mvmheap/v2.md#index", .since = "0.1"};
inline constexpr Rule trailer_types_size{
    .id = "mvm2.trailer.types-size", .severity = Severity::error, .stage = Stage::check,
    .title = "the trailer gives the size of the last types",
    .reason = "A reader that goes back from the end looks for the tables in the wrong place.",
    .anchor = "mvmheap/v2.md#index", .since = "0.1"};
inline constexpr std::array all{&collectables_childless_start, &index_collectables_size, &index_incremental_size, &index_middle, &index_references_size, &index_uncounted, &refs_wide, &rows_upper_half, &strings_count_before, &tables_repeated, &trailer_frames_size, &trailer_snapshots, &trailer_strings_size, &trailer_types_size};
// clang-format on

}  // namespace heapcheck::validation::mvmheap::v2::rules
