// What Chrome DevTools needs of the calls that allocated, and of scopes, beyond the format.
#pragma once

#include <array>

#include "validate/v8/heapsnapshot/cases.hpp"
#include "validate/v8/heapsnapshot/consumers/consumer.hpp"

namespace heapcheck::validation::v8::heapsnapshot::consumers::rules {

inline constexpr Rule devtools_scope_depth{
    .id = "v8snap.devtools.scope-depth",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "scopes have a depth: 0 for the first one of a script, and at most one more than the one before",
    .reason = "DevTools looks for the scope around it, and the view of contexts fails.",
    .anchor = "v8/devtools.md#scopes",
    .since = "0.1",
};
inline constexpr Rule devtools_trace_depth{
    .id = "v8snap.devtools.trace-depth",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "the trace tree is no deeper than 4,500 calls",
    .reason = "DevTools goes down the tree by recursion, and fails with `Maximum call stack size exceeded`.",
    .anchor = "v8/devtools.md#allocations",
    .since = "0.1",
};
inline constexpr Rule devtools_trace_empty{
    .id = "v8snap.devtools.trace-empty",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "where functions are counted, the trace tree has a root",
    .reason = "DevTools begins at the root, and fails.",
    .anchor = "v8/devtools.md#allocations",
    .since = "0.1",
};
inline constexpr Rule devtools_trace_fields{
    .id = "v8snap.devtools.trace-fields",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "where functions are counted, `meta` names the columns of functions and calls",
    .reason = "DevTools fails with `Cannot read properties of undefined`.",
    .anchor = "v8/devtools.md#allocations",
    .since = "0.1",
};
inline constexpr Rule devtools_trace_functions{
    .id = "v8snap.devtools.trace-functions",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "calls lead to functions that the header counts",
    .reason =
        "DevTools drops the functions behind `trace_function_count`, and fails at the first call of one.",
    .anchor = "v8/devtools.md#allocations",
    .since = "0.1",
};
inline constexpr Rule devtools_trace_ignored{
    .id = "v8snap.devtools.trace-ignored",
    .severity = Severity::warning,
    .stage = Stage::check,
    .title = "where there are calls, functions are counted",
    .reason =
        "With a `trace_function_count` of 0, or without one, DevTools passes over functions and tree: it "
        "shows no stacks.",
    .anchor = "v8/devtools.md#allocations",
    .since = "0.1",
};

inline constexpr std::array devtools_trace_rules{
    &devtools_scope_depth,  &devtools_trace_depth,     &devtools_trace_empty,
    &devtools_trace_fields, &devtools_trace_functions, &devtools_trace_ignored,
};

}  // namespace heapcheck::validation::v8::heapsnapshot::consumers::rules

namespace heapcheck::validation::v8::heapsnapshot::consumers {

/// Whether the header counts too few functions for DevTools, with a finding then.
[[nodiscard]] bool check_dropped_functions(const Snapshot& snapshot, core::FindingSink& sink);
void check_trace_for_devtools(const Snapshot& snapshot, const ConsumerProfile& reader,
                              core::FindingSink& sink);
void check_scopes_for_devtools(const Snapshot& snapshot, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot::consumers
