// Rules for the trace tree, the samples of a timeline and the scopes of a heap snapshot, and the functions
// that check these rules.
#pragma once

#include <array>

#include "heapcheck/types/finding.hpp"
#include "validate/v8/heapsnapshot/cases.hpp"

namespace heapcheck::validation::v8::heapsnapshot::rules {

// One line per member, however long.
// clang-format off
inline constexpr Rule samples_order{
    .id = "v8snap.samples.order", .severity = Severity::warning, .stage = Stage::check,
    .title = "times and last ids do not decrease from sample to sample",
    .reason = "DevTools finds the objects of an interval by binary search, which needs them in ascending order.",
    .example = "\"samples\":[0,3,50,7,40,9], where a time of 40 follows one of 50",
    .advice = "Run heapcheck recover, which drops the samples that are out of order. If you write such files, write the samples in the order in which you took them.",
    .anchor = "v8/heapsnapshot.md#samples", .since = "0.1"};
inline constexpr Rule samples_start{
    .id = "v8snap.samples.start", .severity = Severity::note, .stage = Stage::check,
    .title = "the first sample has a time of 0",
    .reason = "V8 measures time from the first sample; if its time is not 0, part of the timeline may be missing.",
    .example = "\"samples\":[7,3,50,9]",
    .advice = "Readers can still load the timeline. Record it again if you need the time before the first sample.",
    .anchor = "v8/heapsnapshot.md#samples", .since = "0.1"};
inline constexpr Rule trace_functions_count{
    .id = "v8snap.trace-functions.count", .severity = Severity::error, .stage = Stage::check,
    .title = "the header's `trace_function_count` is at most the number of functions",
    .reason = "DevTools sizes its array according to this count, and adds functions that consist of zeros.",
    .example = "\"trace_function_count\":3 in a file with 2 functions",
    .advice = "Run heapcheck recover, which corrects the count. If you write such files, count the functions that you write.",
    .anchor = "v8/heapsnapshot.md#trace-functions", .since = "0.1"};
inline constexpr Rule trace_functions_undercount{
    .id = "v8snap.trace-functions.undercount", .severity = Severity::note, .stage = Stage::check,
    .title = "the header's `trace_function_count` includes all functions",
    .reason = "V8 counts the functions when it begins to write the file, and may record more. DevTools drops these and may fail.",
    .example = "\"trace_function_count\":1 in a file with 2 functions",
    .advice = "If DevTools cannot load the file, run heapcheck recover, which corrects the count.",
    .anchor = "v8/heapsnapshot.md#trace-functions", .since = "0.1"};
inline constexpr Rule trace_tree_function{
    .id = "v8snap.trace-tree.function", .severity = Severity::error, .stage = Stage::check,
    .title = "every call in the trace tree refers to a function of the file",
    .reason = "DevTools fails with `Cannot read properties of undefined`.",
    .example = "a `function_info_index` of 2 in a file with 2 functions",
    .advice = "Run heapcheck recover, which drops such calls and the calls below them. If you write such files, write every function that a call refers to.",
    .anchor = "v8/heapsnapshot.md#trace-tree", .since = "0.1"};
inline constexpr Rule trace_tree_id{
    .id = "v8snap.trace-tree.id", .severity = Severity::warning, .stage = Stage::check,
    .title = "ids in the trace tree are unique",
    .reason = "Objects refer to calls by id; DevTools keeps only the last call with that id.",
    .example = "two calls with id 2",
    .advice = "Run heapcheck recover, which gives the later call an unused id. If you write such files, number the calls from 1.",
    .anchor = "v8/heapsnapshot.md#trace-tree", .since = "0.1"};
inline constexpr Rule trace_tree_late_function{
    .id = "v8snap.trace-tree.late-function", .severity = Severity::note, .stage = Stage::check,
    .title = "V8 did not record calls of new functions while it wrote the file",
    .reason = "If the program runs while V8 writes the file, V8 records calls of functions that it has not written. DevTools fails.",
    .example = "a `trace_function_count` of 1, 2 functions, and a last call with a `function_info_index` of 2",
    .advice = "If DevTools cannot load the file, run heapcheck recover, which drops such calls. They allocated none of the nodes.",
    .anchor = "v8/heapsnapshot.md#trace-tree", .since = "0.1"};
inline constexpr Rule trace_tree_root{
    .id = "v8snap.trace-tree.root", .severity = Severity::warning, .stage = Stage::check,
    .title = "the trace tree has one root, with id 1",
    .reason = "DevTools treats the first call as the root and drops all others at that level.",
    .example = "\"trace_tree\":[7,0,0,0,[]], whose root has id 7",
    .advice = "Run heapcheck recover, which keeps the first root and gives it id 1. If you write such files, put all calls below one root.",
    .anchor = "v8/heapsnapshot.md#trace-tree", .since = "0.1"};
inline constexpr std::array trace{&samples_order, &samples_start, &trace_functions_count, &trace_functions_undercount, &trace_tree_function, &trace_tree_id, &trace_tree_late_function, &trace_tree_root};
// clang-format on

}  // namespace heapcheck::validation::v8::heapsnapshot::rules

namespace heapcheck::validation::v8::heapsnapshot {

void check_trace_tree(const Snapshot& snapshot, core::FindingSink& sink);
void check_samples(const Snapshot& snapshot, core::FindingSink& sink);
void check_scope_counts(const Snapshot& snapshot, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot
