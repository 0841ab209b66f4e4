// What single readers need of a heap snapshot beyond the format.
#pragma once

#include <array>

#include "formats/v8/heapsnapshot/faults.hpp"
#include "heapcheck/finding.hpp"

namespace heapcheck::validation::v8::heapsnapshot::consumers::rules {

// One line a member, however long.
// clang-format off
inline constexpr Rule devtools_column{
    .id = "v8snap.devtools.column", .severity = Severity::warning, .stage = Stage::check,
    .title = "the columns that DevTools looks up are there",
    .reason = "It takes the number before the row for what a missing one would hold.",
    .anchor = "v8/devtools.md#columns", .since = "0.1"};
inline constexpr Rule devtools_detachedness{
    .id = "v8snap.devtools.detachedness", .severity = Severity::warning, .stage = Stage::check,
    .title = "`detachedness` is 3 at most",
    .reason = "DevTools keeps the lowest two bits: 5 becomes 1, attached.",
    .anchor = "v8/devtools.md#numbers", .since = "0.1"};
inline constexpr Rule devtools_negative{
    .id = "v8snap.devtools.negative", .severity = Severity::warning, .stage = Stage::check,
    .title = "numbers of scopes are not below 0",
    .reason = "DevTools knows digits only: it reads -2 as 2, which is another scope, and finds no context for either.",
    .anchor = "v8/devtools.md#scopes", .since = "0.1"};
inline constexpr Rule devtools_precision{
    .id = "v8snap.devtools.precision", .severity = Severity::warning, .stage = Stage::check,
    .title = "numbers that are kept as doubles are 2^53 at most",
    .reason = "DevTools rounds larger ones.",
    .anchor = "v8/devtools.md#numbers", .since = "0.1"};
inline constexpr Rule devtools_root_index{
    .id = "v8snap.devtools.root-index", .severity = Severity::error, .stage = Stage::check,
    .title = "`root_index` is 0",
    .reason = "DevTools fails or does not come to an end with one of a node between; with that of the last node it classifies no plain object.",
    .anchor = "v8/devtools.md#columns", .since = "0.1"};
inline constexpr Rule devtools_sample_fields{
    .id = "v8snap.devtools.sample-fields", .severity = Severity::error, .stage = Stage::check,
    .title = "samples have two columns",
    .reason = "DevTools steps by two numbers whatever `meta` says, and fails or takes ids for times.",
    .anchor = "v8/devtools.md#columns", .since = "0.1"};
inline constexpr Rule devtools_scope_depth{
    .id = "v8snap.devtools.scope-depth", .severity = Severity::error, .stage = Stage::check,
    .title = "scopes have a depth: 0 for the first one of a script, and at most one more than the one before",
    .reason = "DevTools looks for the scope around it, and the view of contexts fails.",
    .anchor = "v8/devtools.md#scopes", .since = "0.1"};
inline constexpr Rule devtools_section_between{
    .id = "v8snap.devtools.section-between", .severity = Severity::error, .stage = Stage::check,
    .title = "nothing stands between `trace_function_infos` and `trace_tree`",
    .reason = "DevTools takes what follows the functions for the tree, whatever its name, and fails.",
    .anchor = "v8/devtools.md#sections", .since = "0.1"};
inline constexpr Rule devtools_section_name{
    .id = "v8snap.devtools.section-name", .severity = Severity::error, .stage = Stage::check,
    .title = "the name of a section is spelled plainly, and stands nowhere before it where a section is searched",
    .reason = "DevTools searches the text for the name in quotes, and takes the next array: it finds none, or another.",
    .anchor = "v8/devtools.md#sections", .since = "0.1"};
inline constexpr Rule devtools_strings_last{
    .id = "v8snap.devtools.strings-last", .severity = Severity::error, .stage = Stage::check,
    .title = "no `]` stands behind the strings",
    .reason = "DevTools takes everything up to the last `]` of the file for the strings, and fails.",
    .anchor = "v8/devtools.md#sections", .since = "0.1"};
inline constexpr Rule devtools_text_length{
    .id = "v8snap.devtools.text-length", .severity = Severity::error, .stage = Stage::check,
    .title = "strings, trace tree and members of other names fit into 2^29 - 24 characters each",
    .reason = "DevTools holds each of them as one string, and fails with `Invalid string length`.",
    .anchor = "v8/devtools.md#sections", .since = "0.1"};
inline constexpr Rule devtools_trace_depth{
    .id = "v8snap.devtools.trace-depth", .severity = Severity::error, .stage = Stage::check,
    .title = "the trace tree is no deeper than 4,500 calls",
    .reason = "DevTools goes down the tree by recursion, and fails with `Maximum call stack size exceeded`.",
    .anchor = "v8/devtools.md#allocations", .since = "0.1"};
inline constexpr Rule devtools_trace_empty{
    .id = "v8snap.devtools.trace-empty", .severity = Severity::error, .stage = Stage::check,
    .title = "where functions are counted, the trace tree has a root",
    .reason = "DevTools begins at the root, and fails.",
    .anchor = "v8/devtools.md#allocations", .since = "0.1"};
inline constexpr Rule devtools_trace_fields{
    .id = "v8snap.devtools.trace-fields", .severity = Severity::error, .stage = Stage::check,
    .title = "where functions are counted, `meta` names the columns of functions and calls",
    .reason = "DevTools fails with `Cannot read properties of undefined`.",
    .anchor = "v8/devtools.md#allocations", .since = "0.1"};
inline constexpr Rule devtools_trace_functions{
    .id = "v8snap.devtools.trace-functions", .severity = Severity::error, .stage = Stage::check,
    .title = "calls lead to functions that the header counts",
    .reason = "DevTools drops the functions behind `trace_function_count`, and fails at the first call of one.",
    .anchor = "v8/devtools.md#allocations", .since = "0.1"};
inline constexpr Rule devtools_trace_ignored{
    .id = "v8snap.devtools.trace-ignored", .severity = Severity::warning, .stage = Stage::check,
    .title = "where there are calls, functions are counted",
    .reason = "With a `trace_function_count` of 0, or without one, DevTools passes over functions and tree: it shows no stacks.",
    .anchor = "v8/devtools.md#allocations", .since = "0.1"};
inline constexpr Rule devtools_type_name{
    .id = "v8snap.devtools.type-name", .severity = Severity::warning, .stage = Stage::check,
    .title = "types that DevTools looks up have different names",
    .reason = "It looks a type up by its name and finds the first one; what is of the second one is treated as of another type.",
    .anchor = "v8/devtools.md#columns", .since = "0.1"};
inline constexpr Rule devtools_wrap{
    .id = "v8snap.devtools.wrap", .severity = Severity::warning, .stage = Stage::check,
    .title = "numbers of nodes, edges and functions are 2^32 - 1 at most",
    .reason = "DevTools keeps their lowest 32 bits: 4,294,967,301 becomes 5.",
    .anchor = "v8/devtools.md#numbers", .since = "0.1"};
inline constexpr Rule memlab_locations{
    .id = "v8snap.memlab.locations", .severity = Severity::error, .stage = Stage::check,
    .title = "where there are locations, `meta` names their columns",
    .reason = "memlab divides by the number of columns, and does not come to an end.",
    .anchor = "v8/memlab.md#needs", .since = "0.1"};
inline constexpr Rule memlab_nodes_first{
    .id = "v8snap.memlab.nodes-first", .severity = Severity::error, .stage = Stage::check,
    .title = "`nodes` follows the header at once",
    .reason = "memlab takes everything before the nodes for the header, and fails with `meta data parsing error` or a message on JSON.",
    .anchor = "v8/memlab.md#needs", .since = "0.1"};
inline constexpr Rule memlab_root_index{
    .id = "v8snap.memlab.root-index", .severity = Severity::warning, .stage = Stage::check,
    .title = "`root_index` is 0",
    .reason = "memlab takes the first node for the root, whatever the header says.",
    .anchor = "v8/memlab.md#needs", .since = "0.1"};
inline constexpr Rule memlab_section_name{
    .id = "v8snap.memlab.section-name", .severity = Severity::error, .stage = Stage::check,
    .title = "the keys `nodes`, `edges` and `locations` are spelled plainly, with the colon right behind, and stand nowhere before",
    .reason = "memlab searches the text for the key with its colon: it finds none, and has no nodes, or takes another array.",
    .anchor = "v8/memlab.md#needs", .since = "0.1"};
inline constexpr Rule memlab_text_length{
    .id = "v8snap.memlab.text-length", .severity = Severity::error, .stage = Stage::check,
    .title = "everything but nodes, edges and locations fits into 2^29 - 24 characters",
    .reason = "memlab holds it as one string, and fails with `Invalid string length`.",
    .anchor = "v8/memlab.md#needs", .since = "0.1"};
inline constexpr Rule memlab_wrap{
    .id = "v8snap.memlab.wrap", .severity = Severity::warning, .stage = Stage::check,
    .title = "numbers of nodes, edges and locations are 2^32 - 1 at most",
    .reason = "memlab keeps their lowest 32 bits: 4,294,967,301 becomes 5.",
    .anchor = "v8/memlab.md#needs", .since = "0.1"};
inline constexpr std::array all{&devtools_column, &devtools_detachedness, &devtools_negative, &devtools_precision, &devtools_root_index, &devtools_sample_fields, &devtools_scope_depth, &devtools_section_between, &devtools_section_name, &devtools_strings_last, &devtools_text_length, &devtools_trace_depth, &devtools_trace_empty, &devtools_trace_fields, &devtools_trace_functions, &devtools_trace_ignored, &devtools_type_name, &devtools_wrap, &memlab_locations, &memlab_nodes_first, &memlab_root_index, &memlab_section_name, &memlab_text_length, &memlab_wrap};
// clang-format on

/// memlab refuses what other readers pass over.
inline constexpr Rule memlab_file_bom = [] {
  Rule rule = heapcheck::v8::heapsnapshot::rules::file_bom;
  rule.severity = Severity::error;
  rule.stage = Stage::check;
  return rule;
}();

}  // namespace heapcheck::validation::v8::heapsnapshot::consumers::rules
