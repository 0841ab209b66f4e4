// What Chrome DevTools needs of the header, of the columns and of their values beyond the format.
#pragma once

#include "validate/consumer.hpp"
#include "validate/v8/heapsnapshot/cases.hpp"

namespace heapcheck::validate::v8::heapsnapshot {

namespace rules {

inline constexpr core::Rule devtools_column{
    "v8snap.devtools.column",
    core::Severity::warning,
    core::Stage::check,
    "the columns that DevTools looks up are there",
    "It takes the number before the row for what a missing one would hold.",
    "v8/devtools.md#columns",
    "0.1"};
inline constexpr core::Rule devtools_detachedness{
    "v8snap.devtools.detachedness",
    core::Severity::warning,
    core::Stage::check,
    "`detachedness` is 3 at most",
    "DevTools keeps the lowest two bits: 5 becomes 1, attached.",
    "v8/devtools.md#numbers",
    "0.1"};
inline constexpr core::Rule devtools_negative{
    "v8snap.devtools.negative",
    core::Severity::warning,
    core::Stage::check,
    "numbers of scopes are not below 0",
    "DevTools knows digits only: it reads -2 as 2, which is another scope, and finds no context for either.",
    "v8/devtools.md#scopes",
    "0.1"};
inline constexpr core::Rule devtools_precision{"v8snap.devtools.precision",
                                               core::Severity::warning,
                                               core::Stage::check,
                                               "numbers that are kept as doubles are 2^53 at most",
                                               "DevTools rounds larger ones.",
                                               "v8/devtools.md#numbers",
                                               "0.1"};
inline constexpr core::Rule devtools_root_index{
    "v8snap.devtools.root-index",
    core::Severity::error,
    core::Stage::check,
    "`root_index` is 0",
    "DevTools fails or does not come to an end with one of a node between; with that of the last node it "
    "classifies no plain object.",
    "v8/devtools.md#columns",
    "0.1"};
inline constexpr core::Rule devtools_sample_fields{
    "v8snap.devtools.sample-fields",
    core::Severity::error,
    core::Stage::check,
    "samples have two columns",
    "DevTools steps by two numbers whatever `meta` says, and fails or takes ids for times.",
    "v8/devtools.md#columns",
    "0.1"};
inline constexpr core::Rule devtools_type_name{"v8snap.devtools.type-name",
                                               core::Severity::warning,
                                               core::Stage::check,
                                               "types that DevTools looks up have different names",
                                               "It looks a type up by its name and finds the first one; what "
                                               "is of the second one is treated as of another type.",
                                               "v8/devtools.md#columns",
                                               "0.1"};
inline constexpr core::Rule devtools_wrap{"v8snap.devtools.wrap",
                                          core::Severity::warning,
                                          core::Stage::check,
                                          "numbers of nodes, edges and functions are 2^32 - 1 at most",
                                          "DevTools keeps their lowest 32 bits: 4,294,967,301 becomes 5.",
                                          "v8/devtools.md#numbers",
                                          "0.1"};

}  // namespace rules

void check_header_for_devtools(const Snapshot& snapshot, core::FindingSink& sink);
void check_columns_for_devtools(const Snapshot& snapshot, core::FindingSink& sink);
void check_numbers_for_devtools(const Snapshot& snapshot, core::FindingSink& sink);

}  // namespace heapcheck::validate::v8::heapsnapshot
