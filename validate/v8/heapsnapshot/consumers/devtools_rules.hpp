// What Chrome DevTools needs of the header, of the columns and of their values beyond the format.
#pragma once

#include <array>

#include "validate/v8/heapsnapshot/cases.hpp"
#include "validate/v8/heapsnapshot/consumers/consumer.hpp"

namespace heapcheck::validation::v8::heapsnapshot::consumers::rules {

inline constexpr Rule devtools_column{
    .id = "v8snap.devtools.column",
    .severity = Severity::warning,
    .stage = Stage::check,
    .title = "the columns that DevTools looks up are there",
    .reason = "It takes the number before the row for what a missing one would hold.",
    .anchor = "v8/devtools.md#columns",
    .since = "0.1",
};
inline constexpr Rule devtools_detachedness{
    .id = "v8snap.devtools.detachedness",
    .severity = Severity::warning,
    .stage = Stage::check,
    .title = "`detachedness` is 3 at most",
    .reason = "DevTools keeps the lowest two bits: 5 becomes 1, attached.",
    .anchor = "v8/devtools.md#numbers",
    .since = "0.1",
};
inline constexpr Rule devtools_negative{
    .id = "v8snap.devtools.negative",
    .severity = Severity::warning,
    .stage = Stage::check,
    .title = "numbers of scopes are not below 0",
    .reason =
        "DevTools knows digits only: it reads -2 as 2, which is another scope, and finds no context for "
        "either.",
    .anchor = "v8/devtools.md#scopes",
    .since = "0.1",
};
inline constexpr Rule devtools_precision{
    .id = "v8snap.devtools.precision",
    .severity = Severity::warning,
    .stage = Stage::check,
    .title = "numbers that are kept as doubles are 2^53 at most",
    .reason = "DevTools rounds larger ones.",
    .anchor = "v8/devtools.md#numbers",
    .since = "0.1",
};
inline constexpr Rule devtools_root_index{
    .id = "v8snap.devtools.root-index",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "`root_index` is 0",
    .reason =
        "DevTools fails or does not come to an end with one of a node between; with that of the last node it "
        "classifies no plain object.",
    .anchor = "v8/devtools.md#columns",
    .since = "0.1",
};
inline constexpr Rule devtools_sample_fields{
    .id = "v8snap.devtools.sample-fields",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "samples have two columns",
    .reason = "DevTools steps by two numbers whatever `meta` says, and fails or takes ids for times.",
    .anchor = "v8/devtools.md#columns",
    .since = "0.1",
};
inline constexpr Rule devtools_type_name{
    .id = "v8snap.devtools.type-name",
    .severity = Severity::warning,
    .stage = Stage::check,
    .title = "types that DevTools looks up have different names",
    .reason =
        "It looks a type up by its name and finds the first one; what is of the second one is treated as of "
        "another type.",
    .anchor = "v8/devtools.md#columns",
    .since = "0.1",
};
inline constexpr Rule devtools_wrap{
    .id = "v8snap.devtools.wrap",
    .severity = Severity::warning,
    .stage = Stage::check,
    .title = "numbers of nodes, edges and functions are 2^32 - 1 at most",
    .reason = "DevTools keeps their lowest 32 bits: 4,294,967,301 becomes 5.",
    .anchor = "v8/devtools.md#numbers",
    .since = "0.1",
};

inline constexpr std::array devtools_rules{
    &devtools_column,     &devtools_detachedness,  &devtools_negative,  &devtools_precision,
    &devtools_root_index, &devtools_sample_fields, &devtools_type_name, &devtools_wrap,
};

}  // namespace heapcheck::validation::v8::heapsnapshot::consumers::rules

namespace heapcheck::validation::v8::heapsnapshot::consumers {

void check_header_for_devtools(const Snapshot& snapshot, core::FindingSink& sink);
void check_columns_for_devtools(const Snapshot& snapshot, core::FindingSink& sink);
void check_numbers_for_devtools(const Snapshot& snapshot, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot::consumers
