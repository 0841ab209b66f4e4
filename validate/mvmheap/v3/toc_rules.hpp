// Rules over the tables of contents of a version 3 file: what they list against what is there, in
// both directions.
#pragma once

#include <array>

#include "formats/core/finding_sink.hpp"
#include "formats/mvmheap/v3/container.hpp"

namespace heapcheck::validation::mvmheap::v3::rules {

inline constexpr Rule toc_entry_bounds{
    .id = "mvm3.toc.entry-bounds",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "an entry of a table of contents ends behind its start and inside the file",
    .reason = "A reader that seeks there fails.",
    .anchor = "mvmheap/v3.md#toc",
    .since = "0.1",
};
inline constexpr Rule toc_entry_kind{
    .id = "mvm3.toc.entry-kind",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "an entry of a table of contents names the kind of the block at its start",
    .reason = "A reader takes the block for another one, or does not find it.",
    .anchor = "mvmheap/v3.md#toc",
    .since = "0.1",
};
inline constexpr Rule toc_entry_start{
    .id = "mvm3.toc.entry-start",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "an entry of a table of contents starts where a block starts",
    .reason = "A reader that seeks there finds something else.",
    .anchor = "mvmheap/v3.md#toc",
    .since = "0.1",
};
inline constexpr Rule toc_entry_end{
    .id = "mvm3.toc.entry-end",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "an entry of a table of contents ends where its block ends",
    .reason = "A reader takes too much or too little for the block.",
    .anchor = "mvmheap/v3.md#toc",
    .since = "0.1",
};
inline constexpr Rule toc_missing_entry{
    .id = "mvm3.toc.missing-entry",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "a table of contents lists every block it is for",
    .reason = "A reader that goes by the table does not find the block.",
    .anchor = "mvmheap/v3.md#toc",
    .since = "0.1",
};
inline constexpr Rule toc_duplicate_entry{
    .id = "mvm3.toc.duplicate-entry",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "a table of contents lists a block once",
    .reason = "A reader takes the block's content twice.",
    .anchor = "mvmheap/v3.md#toc",
    .since = "0.1",
};

inline constexpr std::array toc_rules{
    &toc_entry_bounds, &toc_entry_kind,    &toc_entry_start,
    &toc_entry_end,    &toc_missing_entry, &toc_duplicate_entry,
};

}  // namespace heapcheck::validation::mvmheap::v3::rules

namespace heapcheck::validation::mvmheap::v3 {

namespace format = heapcheck::mvmheap::v3;

/// Checks every table of contents that was read. Needs the whole container.
void check_tocs(const format::BlockContainer& container, core::FindingSink& sink);

}  // namespace heapcheck::validation::mvmheap::v3
