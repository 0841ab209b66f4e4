// Rules over what the sections of a version 2 file say together, and the quirks of layout C.
#pragma once

#include <array>

#include "formats/core/finding_sink.hpp"
#include "formats/mvmheap/model.hpp"
#include "formats/mvmheap/v2/container.hpp"

namespace heapcheck::validation::mvmheap::v2::rules {

inline constexpr Rule collectables_childless_start{
    .id = "mvm2.collectables.childless-start",
    .severity = Severity::warning,
    .stage = Stage::check,
    .title = "a collectable without references has refs_start 0",
    .reason = "MoarVM writes 0 there, so another writer made the file or num_refs has changed.",
    .anchor = "mvmheap/v2.md#collectables",
    .since = "0.1",
};
inline constexpr Rule tables_repeated{
    .id = "mvm2.tables.repeated",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "the last sections of layout A repeat all rows that stood behind the snapshots",
    .reason = "A reader that takes the one shows other names than a reader that takes the other.",
    .anchor = "mvmheap/v2.md#layouts",
    .since = "0.1",
};
inline constexpr Rule refs_wide{
    .id = "mvm2.refs.wide",
    .severity = Severity::note,
    .stage = Stage::check,
    .title = "a reference has the narrowest width that holds it",
    .reason =
        "It can be read, but takes more bytes. MoarVM before 2017.11 wrote all references with 64 bits where "
        "a long has 32.",
    .anchor = "mvmheap/v2.md#references",
    .since = "0.1",
};
inline constexpr Rule strings_count_before{
    .id = "mvm2.strings.count-before",
    .severity = Severity::note,
    .stage = Stage::check,
    .title = "the count of strings is that of the section",
    .reason =
        "MoarVM since 2019.11 writes how many strings stand before the section. It ends where types start.",
    .anchor = "mvmheap/v2.md#quirks",
    .since = "0.1",
};
inline constexpr Rule rows_upper_half{
    .id = "mvm2.rows.upper-half",
    .severity = Severity::note,
    .stage = Stage::check,
    .title = "the upper half of a field of a type or static frame is 0",
    .reason =
        "MoarVM since 2019.11 writes 64 bits of fields that have 32: the upper half belongs to the next one, "
        "and is cut off.",
    .anchor = "mvmheap/v2.md#quirks",
    .since = "0.1",
};

inline constexpr std::array section_rules{
    &collectables_childless_start, &tables_repeated, &refs_wide, &strings_count_before, &rows_upper_half,
};

}  // namespace heapcheck::validation::mvmheap::v2::rules

namespace heapcheck::validation::mvmheap::v2 {

namespace model = heapcheck::mvmheap;
namespace format = heapcheck::mvmheap::v2;

/// mvm2.tables.repeated. `last` is what the last sections hold; all tables could be read whole.
void check_last_tables(const format::SectionContainer& container, const model::Tables& tables,
                       const model::Tables& last, core::FindingSink& sink);

/// The notes, one a file each.
void check_quirks(const format::SectionContainer& container, core::FindingSink& sink);

}  // namespace heapcheck::validation::mvmheap::v2
