// What Chrome DevTools needs of the calls that allocated, and of scopes, beyond the format.
#pragma once

#include "validate/v8/heapsnapshot/cases.hpp"
#include "validate/v8/heapsnapshot/consumers/consumer.hpp"

namespace heapcheck::validation::v8::heapsnapshot::consumers {

namespace rules {

inline constexpr Rule devtools_scope_depth{
    "v8snap.devtools.scope-depth",
    Severity::error,
    Stage::check,
    "scopes have a depth: 0 for the first one of a script, and at most one more than the one before",
    "DevTools looks for the scope around it, and the view of contexts fails.",
    "v8/devtools.md#scopes",
    "0.1"};
inline constexpr Rule devtools_trace_depth{
    "v8snap.devtools.trace-depth",
    Severity::error,
    Stage::check,
    "the trace tree is no deeper than 4,500 calls",
    "DevTools goes down the tree by recursion, and fails with `Maximum call stack size exceeded`.",
    "v8/devtools.md#allocations",
    "0.1"};
inline constexpr Rule devtools_trace_empty{"v8snap.devtools.trace-empty",
                                           Severity::error,
                                           Stage::check,
                                           "where functions are counted, the trace tree has a root",
                                           "DevTools begins at the root, and fails.",
                                           "v8/devtools.md#allocations",
                                           "0.1"};
inline constexpr Rule devtools_trace_fields{
    "v8snap.devtools.trace-fields",
    Severity::error,
    Stage::check,
    "where functions are counted, `meta` names the columns of functions and calls",
    "DevTools fails with `Cannot read properties of undefined`.",
    "v8/devtools.md#allocations",
    "0.1"};
inline constexpr Rule devtools_trace_functions{
    "v8snap.devtools.trace-functions",
    Severity::error,
    Stage::check,
    "calls lead to functions that the header counts",
    "DevTools drops the functions behind `trace_function_count`, and fails at the first call of one.",
    "v8/devtools.md#allocations",
    "0.1"};
inline constexpr Rule devtools_trace_ignored{
    "v8snap.devtools.trace-ignored",
    Severity::warning,
    Stage::check,
    "where there are calls, functions are counted",
    "With a `trace_function_count` of 0, or without one, DevTools passes over functions and tree: it shows "
    "no stacks.",
    "v8/devtools.md#allocations",
    "0.1"};

}  // namespace rules

/// Whether the header counts too few functions for DevTools, with a finding then.
[[nodiscard]] bool check_dropped_functions(const Snapshot& snapshot, core::FindingSink& sink);
void check_trace_for_devtools(const Snapshot& snapshot, const ConsumerProfile& reader,
                              core::FindingSink& sink);
void check_scopes_for_devtools(const Snapshot& snapshot, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot::consumers
