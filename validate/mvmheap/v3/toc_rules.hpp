// Rules over the tables of contents of a version 3 file: what they list against what is there, in
// both directions.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "formats/mvmheap/v3/container.hpp"

namespace heapcheck::validation::mvmheap::v3 {

namespace format = heapcheck::mvmheap::v3;

namespace rules {

inline constexpr Rule toc_entry_bounds{
    "mvm3.toc.entry-bounds",
    Severity::error,
    Stage::check,
    "an entry of a table of contents ends behind its start and inside the file",
    "A reader that seeks there fails.",
    "mvmheap/v3.md#toc",
    "0.1"};
inline constexpr Rule toc_entry_kind{
    "mvm3.toc.entry-kind",
    Severity::error,
    Stage::check,
    "an entry of a table of contents names the kind of the block at its start",
    "A reader takes the block for another one, or does not find it.",
    "mvmheap/v3.md#toc",
    "0.1"};
inline constexpr Rule toc_entry_start{"mvm3.toc.entry-start",
                                      Severity::error,
                                      Stage::check,
                                      "an entry of a table of contents starts where a block starts",
                                      "A reader that seeks there finds something else.",
                                      "mvmheap/v3.md#toc",
                                      "0.1"};
inline constexpr Rule toc_entry_end{"mvm3.toc.entry-end",
                                    Severity::error,
                                    Stage::check,
                                    "an entry of a table of contents ends where its block ends",
                                    "A reader takes too much or too little for the block.",
                                    "mvmheap/v3.md#toc",
                                    "0.1"};
inline constexpr Rule toc_missing_entry{"mvm3.toc.missing-entry",
                                        Severity::error,
                                        Stage::check,
                                        "a table of contents lists every block it is for",
                                        "A reader that goes by the table does not find the block.",
                                        "mvmheap/v3.md#toc",
                                        "0.1"};
inline constexpr Rule toc_duplicate_entry{"mvm3.toc.duplicate-entry",
                                          Severity::error,
                                          Stage::check,
                                          "a table of contents lists a block once",
                                          "A reader takes the block's content twice.",
                                          "mvmheap/v3.md#toc",
                                          "0.1"};

}  // namespace rules

/// Checks every table of contents that was read. Needs the whole container.
void check_tocs(const format::BlockContainer& container, core::FindingSink& sink);

}  // namespace heapcheck::validation::mvmheap::v3
