// Rules over the index of a version 2 file: what it says of each snapshot against where things are.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "formats/mvmheap/v2/container.hpp"

namespace heapcheck::validation::mvmheap::v2 {

namespace format = heapcheck::mvmheap::v2;

namespace rules {

inline constexpr Rule index_collectables_size{
    "mvm2.index.collectables-size",
    Severity::error,
    Stage::check,
    "the index gives the size of a snapshot's collectables",
    "A reader that goes by the index looks for the references in the wrong place.",
    "mvmheap/v2.md#index",
    "0.1"};
inline constexpr Rule index_references_size{
    "mvm2.index.references-size",
    Severity::error,
    Stage::check,
    "the index gives the size of a snapshot's references",
    "A reader that goes by the index looks for the next snapshot in the wrong place.",
    "mvmheap/v2.md#index",
    "0.1"};
inline constexpr Rule index_middle{
    "mvm2.index.middle",
    Severity::error,
    Stage::check,
    "the index says where the second half of the references starts",
    "A reader that reads both halves at a time takes other bytes for references.",
    "mvmheap/v2.md#index",
    "0.1"};
inline constexpr Rule index_incremental_size{
    "mvm2.index.incremental-size",
    Severity::error,
    Stage::check,
    "the index gives the size of the rows behind a snapshot",
    "A reader that goes by the index looks for the next snapshot in the wrong place.",
    "mvmheap/v2.md#index",
    "0.1"};
inline constexpr Rule index_uncounted{
    "mvm2.index.uncounted",
    Severity::note,
    Stage::check,
    "the index counts the rows behind a snapshot",
    "MoarVM since 2019.11 writes 0. A reader that goes by the index, as the published analyser "
    "App::MoarVM::HeapAnalyzer does, is off by their size from the second snapshot on.",
    "mvmheap/v2.md#quirks",
    "0.1"};
inline constexpr Rule trailer_strings_size{
    "mvm2.trailer.strings-size",
    Severity::error,
    Stage::check,
    "the trailer gives the size of the last strings",
    "A reader that goes back from the end looks for the tables in the wrong place.",
    "mvmheap/v2.md#index",
    "0.1"};
inline constexpr Rule trailer_types_size{
    "mvm2.trailer.types-size",
    Severity::error,
    Stage::check,
    "the trailer gives the size of the last types",
    "A reader that goes back from the end looks for the tables in the wrong place.",
    "mvmheap/v2.md#index",
    "0.1"};
inline constexpr Rule trailer_frames_size{
    "mvm2.trailer.frames-size",
    Severity::error,
    Stage::check,
    "the trailer gives the size of the last static frames",
    "A reader that goes back from the end looks for the tables in the wrong place.",
    "mvmheap/v2.md#index",
    "0.1"};
inline constexpr Rule trailer_snapshots{"mvm2.trailer.snapshots",
                                        Severity::error,
                                        Stage::check,
                                        "the trailer counts the snapshots",
                                        "A reader misses snapshots, or takes other bytes for the index.",
                                        "mvmheap/v2.md#index",
                                        "0.1"};

}  // namespace rules

/// All of them, for what could be read.
void check_index(const format::SectionContainer& container, core::FindingSink& sink);

}  // namespace heapcheck::validation::mvmheap::v2
