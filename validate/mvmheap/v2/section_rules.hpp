// Rules over what the sections of a version 2 file say together, and the quirks of layout C.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "formats/mvmheap/model.hpp"
#include "formats/mvmheap/v2/container.hpp"

namespace heapcheck::validation::mvmheap::v2 {

namespace model = heapcheck::mvmheap;
namespace format = heapcheck::mvmheap::v2;

namespace rules {

inline constexpr Rule collectables_childless_start{
    "mvm2.collectables.childless-start",
    Severity::warning,
    Stage::check,
    "a collectable without references has refs_start 0",
    "MoarVM writes 0 there, so another writer made the file or num_refs has changed.",
    "mvmheap/v2.md#collectables",
    "0.1"};
inline constexpr Rule tables_repeated{
    "mvm2.tables.repeated",
    Severity::error,
    Stage::check,
    "the last sections of layout A repeat all rows that stood behind the snapshots",
    "A reader that takes the one shows other names than a reader that takes the other.",
    "mvmheap/v2.md#layouts",
    "0.1"};
inline constexpr Rule refs_wide{
    "mvm2.refs.wide",
    Severity::note,
    Stage::check,
    "a reference has the narrowest width that holds it",
    "It can be read, but takes more bytes. MoarVM before 2017.11 wrote all references with "
    "64 bits where a long has 32.",
    "mvmheap/v2.md#references",
    "0.1"};
inline constexpr Rule strings_count_before{
    "mvm2.strings.count-before",
    Severity::note,
    Stage::check,
    "the count of strings is that of the section",
    "MoarVM since 2019.11 writes how many strings stand before the section. It ends where types start.",
    "mvmheap/v2.md#quirks",
    "0.1"};
inline constexpr Rule rows_upper_half{"mvm2.rows.upper-half",
                                      Severity::note,
                                      Stage::check,
                                      "the upper half of a field of a type or static frame is 0",
                                      "MoarVM since 2019.11 writes 64 bits of fields that have 32: the upper "
                                      "half belongs to the next one, and is cut off.",
                                      "mvmheap/v2.md#quirks",
                                      "0.1"};

}  // namespace rules

/// mvm2.tables.repeated. `last` is what the last sections hold; all tables could be read whole.
void check_last_tables(const format::SectionContainer& container, const model::Tables& tables,
                       const model::Tables& last, core::FindingSink& sink);

/// The notes, one a file each.
void check_quirks(const format::SectionContainer& container, core::FindingSink& sink);

}  // namespace heapcheck::validation::mvmheap::v2
