// What Chrome DevTools needs of the header, of the columns and of their values beyond the format.
#pragma once

#include "validate/v8/heapsnapshot/cases.hpp"
#include "validate/v8/heapsnapshot/consumers/consumer.hpp"

namespace heapcheck::validation::v8::heapsnapshot::consumers {

namespace rules {

inline constexpr Rule devtools_column{"v8snap.devtools.column",
                                      Severity::warning,
                                      Stage::check,
                                      "the columns that DevTools looks up are there",
                                      "It takes the number before the row for what a missing one would hold.",
                                      "v8/devtools.md#columns",
                                      "0.1"};
inline constexpr Rule devtools_detachedness{"v8snap.devtools.detachedness",
                                            Severity::warning,
                                            Stage::check,
                                            "`detachedness` is 3 at most",
                                            "DevTools keeps the lowest two bits: 5 becomes 1, attached.",
                                            "v8/devtools.md#numbers",
                                            "0.1"};
inline constexpr Rule devtools_negative{
    "v8snap.devtools.negative",
    Severity::warning,
    Stage::check,
    "numbers of scopes are not below 0",
    "DevTools knows digits only: it reads -2 as 2, which is another scope, and finds no context for either.",
    "v8/devtools.md#scopes",
    "0.1"};
inline constexpr Rule devtools_precision{"v8snap.devtools.precision",
                                         Severity::warning,
                                         Stage::check,
                                         "numbers that are kept as doubles are 2^53 at most",
                                         "DevTools rounds larger ones.",
                                         "v8/devtools.md#numbers",
                                         "0.1"};
inline constexpr Rule devtools_root_index{
    "v8snap.devtools.root-index",
    Severity::error,
    Stage::check,
    "`root_index` is 0",
    "DevTools fails or does not come to an end with one of a node between; with that of the last node it "
    "classifies no plain object.",
    "v8/devtools.md#columns",
    "0.1"};
inline constexpr Rule devtools_sample_fields{
    "v8snap.devtools.sample-fields",
    Severity::error,
    Stage::check,
    "samples have two columns",
    "DevTools steps by two numbers whatever `meta` says, and fails or takes ids for times.",
    "v8/devtools.md#columns",
    "0.1"};
inline constexpr Rule devtools_type_name{"v8snap.devtools.type-name",
                                         Severity::warning,
                                         Stage::check,
                                         "types that DevTools looks up have different names",
                                         "It looks a type up by its name and finds the first one; what "
                                         "is of the second one is treated as of another type.",
                                         "v8/devtools.md#columns",
                                         "0.1"};
inline constexpr Rule devtools_wrap{"v8snap.devtools.wrap",
                                    Severity::warning,
                                    Stage::check,
                                    "numbers of nodes, edges and functions are 2^32 - 1 at most",
                                    "DevTools keeps their lowest 32 bits: 4,294,967,301 becomes 5.",
                                    "v8/devtools.md#numbers",
                                    "0.1"};

}  // namespace rules

void check_header_for_devtools(const Snapshot& snapshot, core::FindingSink& sink);
void check_columns_for_devtools(const Snapshot& snapshot, core::FindingSink& sink);
void check_numbers_for_devtools(const Snapshot& snapshot, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot::consumers
