// Rules over the index of a version 2 file: what it says of each snapshot against where things are.
#pragma once

#include <array>

#include "formats/core/finding_sink.hpp"
#include "formats/mvmheap/v2/container.hpp"

namespace heapcheck::validation::mvmheap::v2::rules {

inline constexpr Rule index_collectables_size{
    .id = "mvm2.index.collectables-size",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "the index gives the size of a snapshot's collectables",
    .reason = "A reader that goes by the index looks for the references in the wrong place.",
    .anchor = "mvmheap/v2.md#index",
    .since = "0.1",
};
inline constexpr Rule index_references_size{
    .id = "mvm2.index.references-size",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "the index gives the size of a snapshot's references",
    .reason = "A reader that goes by the index looks for the next snapshot in the wrong place.",
    .anchor = "mvmheap/v2.md#index",
    .since = "0.1",
};
inline constexpr Rule index_middle{
    .id = "mvm2.index.middle",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "the index says where the second half of the references starts",
    .reason = "A reader that reads both halves at a time takes other bytes for references.",
    .anchor = "mvmheap/v2.md#index",
    .since = "0.1",
};
inline constexpr Rule index_incremental_size{
    .id = "mvm2.index.incremental-size",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "the index gives the size of the rows behind a snapshot",
    .reason = "A reader that goes by the index looks for the next snapshot in the wrong place.",
    .anchor = "mvmheap/v2.md#index",
    .since = "0.1",
};
inline constexpr Rule index_uncounted{
    .id = "mvm2.index.uncounted",
    .severity = Severity::note,
    .stage = Stage::check,
    .title = "the index counts the rows behind a snapshot",
    .reason =
        "MoarVM since 2019.11 writes 0. A reader that goes by the index, as the published analyser "
        "App::MoarVM::HeapAnalyzer does, is off by their size from the second snapshot on.",
    .anchor = "mvmheap/v2.md#quirks",
    .since = "0.1",
};
inline constexpr Rule trailer_strings_size{
    .id = "mvm2.trailer.strings-size",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "the trailer gives the size of the last strings",
    .reason = "A reader that goes back from the end looks for the tables in the wrong place.",
    .anchor = "mvmheap/v2.md#index",
    .since = "0.1",
};
inline constexpr Rule trailer_types_size{
    .id = "mvm2.trailer.types-size",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "the trailer gives the size of the last types",
    .reason = "A reader that goes back from the end looks for the tables in the wrong place.",
    .anchor = "mvmheap/v2.md#index",
    .since = "0.1",
};
inline constexpr Rule trailer_frames_size{
    .id = "mvm2.trailer.frames-size",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "the trailer gives the size of the last static frames",
    .reason = "A reader that goes back from the end looks for the tables in the wrong place.",
    .anchor = "mvmheap/v2.md#index",
    .since = "0.1",
};
inline constexpr Rule trailer_snapshots{
    .id = "mvm2.trailer.snapshots",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "the trailer counts the snapshots",
    .reason = "A reader misses snapshots, or takes other bytes for the index.",
    .anchor = "mvmheap/v2.md#index",
    .since = "0.1",
};

inline constexpr std::array index_rules{
    &index_collectables_size, &index_references_size, &index_middle,
    &index_incremental_size,  &index_uncounted,       &trailer_strings_size,
    &trailer_types_size,      &trailer_frames_size,   &trailer_snapshots,
};

}  // namespace heapcheck::validation::mvmheap::v2::rules

namespace heapcheck::validation::mvmheap::v2 {

namespace format = heapcheck::mvmheap::v2;

/// All of them, for what could be read.
void check_index(const format::SectionContainer& container, core::FindingSink& sink);

}  // namespace heapcheck::validation::mvmheap::v2
