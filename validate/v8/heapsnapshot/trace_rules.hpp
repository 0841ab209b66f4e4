// Rules over the trace tree, the samples of a timeline and the scopes of a heap snapshot.
#pragma once

#include <array>

#include "heapcheck/finding.hpp"
#include "validate/v8/heapsnapshot/cases.hpp"

namespace heapcheck::validation::v8::heapsnapshot::rules {

// One line a member, however long.
// clang-format off
inline constexpr Rule samples_order{
    .id = "v8snap.samples.order", .severity = Severity::warning, .stage = Stage::check,
    .title = "time and last id do not fall from sample to sample",
    .reason = "DevTools finds the objects of an interval by a search that needs it.",
    .anchor = "v8/heapsnapshot.md#samples", .since = "0.1"};
inline constexpr Rule samples_start{
    .id = "v8snap.samples.start", .severity = Severity::note, .stage = Stage::check,
    .title = "the first sample is of the time 0",
    .reason = "V8 counts time from it; a part of the timeline may be missing.",
    .anchor = "v8/heapsnapshot.md#samples", .since = "0.1"};
inline constexpr Rule trace_functions_count{
    .id = "v8snap.trace-functions.count", .severity = Severity::error, .stage = Stage::check,
    .title = "there are no fewer functions than the header says",
    .reason = "DevTools makes its array as long as the header says, and adds some of zeros.",
    .anchor = "v8/heapsnapshot.md#trace-functions", .since = "0.1"};
inline constexpr Rule trace_functions_undercount{
    .id = "v8snap.trace-functions.undercount", .severity = Severity::note, .stage = Stage::check,
    .title = "the header counts all functions",
    .reason = "V8 counts before it writes, and adds some while it does; DevTools drops those, and may fail.",
    .anchor = "v8/heapsnapshot.md#trace-functions", .since = "0.1"};
inline constexpr Rule trace_tree_function{
    .id = "v8snap.trace-tree.function", .severity = Severity::error, .stage = Stage::check,
    .title = "a node of the trace tree names a function that there is",
    .reason = "DevTools fails with `Cannot read properties of undefined`.",
    .anchor = "v8/heapsnapshot.md#trace-tree", .since = "0.1"};
inline constexpr Rule trace_tree_id{
    .id = "v8snap.trace-tree.id", .severity = Severity::warning, .stage = Stage::check,
    .title = "the id of a node of the trace tree is its own",
    .reason = "Objects go by it; DevTools keeps the last node of the id.",
    .anchor = "v8/heapsnapshot.md#trace-tree", .since = "0.1"};
inline constexpr Rule trace_tree_root{
    .id = "v8snap.trace-tree.root", .severity = Severity::warning, .stage = Stage::check,
    .title = "the trace tree has one root, of id 1",
    .reason = "DevTools takes the first node for the root, and drops others.",
    .anchor = "v8/heapsnapshot.md#trace-tree", .since = "0.1"};
inline constexpr std::array trace{&samples_order, &samples_start, &trace_functions_count, &trace_functions_undercount, &trace_tree_function, &trace_tree_id, &trace_tree_root};
// clang-format on

}  // namespace heapcheck::validation::v8::heapsnapshot::rules

namespace heapcheck::validation::v8::heapsnapshot {

void check_trace_tree(const Snapshot& snapshot, core::FindingSink& sink);
void check_samples(const Snapshot& snapshot, core::FindingSink& sink);
void check_scope_counts(const Snapshot& snapshot, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot
