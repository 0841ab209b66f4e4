// The rules that are checked while reading a V8 heap snapshot.
#pragma once

#include <array>

#include "heapcheck/types/finding.hpp"

namespace heapcheck::v8::heapsnapshot::rules {

// One line per member, however long.
// clang-format off
inline constexpr Rule file_bom{
    .id = "v8snap.file.byte-order-mark", .severity = Severity::note, .stage = Stage::read,
    .title = "a snapshot has no byte order mark",
    .reason = "DevTools ignores the mark, but JSON.parse rejects the whole file.",
    .example = "the bytes ef bb bf before {\"snapshot\":",
    .advice = "Remove the first three bytes, or run heapcheck convert with --to heapsnapshot. If you write such files, write them without a byte order mark.",
    .anchor = "v8/heapsnapshot.md#document", .since = "0.1"};
inline constexpr Rule file_prefix{
    .id = "v8snap.file.prefix", .severity = Severity::note, .stage = Stage::read,
    .title = "a snapshot begins with its document",
    .reason = "DevTools skips the text before the document, but JSON.parse rejects the whole file.",
    .example = "the line `Debugger attached.` before {\"snapshot\":",
    .advice = "Remove the text before the document, or run heapcheck convert with --to heapsnapshot. If you redirect the output of a program to a file, do not redirect its messages to the same file.",
    .anchor = "v8/heapsnapshot.md#document", .since = "0.1"};
inline constexpr Rule header_count{
    .id = "v8snap.header.count", .severity = Severity::error, .stage = Stage::read,
    .title = "the header has a `node_count` and an `edge_count`",
    .reason = "DevTools sizes its arrays by these counts; without them, it fails or drops the nodes or edges.",
    .example = "a header with \"edge_count\":4 but without `node_count`",
    .advice = "Run heapcheck recover, which counts nodes and edges itself. If you write such files, count nodes and edges before you write the header.",
    .anchor = "v8/heapsnapshot.md#header", .since = "0.1"};
inline constexpr Rule header_type{
    .id = "v8snap.header.type", .severity = Severity::error, .stage = Stage::read,
    .title = "`snapshot` is an object, and its numbers are integers from 0 to 2^64 - 1",
    .reason = "DevTools and memlab fail or misread the number.",
    .example = "\"node_count\":\"4\", a string instead of a number",
    .advice = "Run heapcheck recover, which counts nodes, edges and functions again. It cannot recover anything if `snapshot` is not an object.",
    .anchor = "v8/heapsnapshot.md#header", .since = "0.1"};
inline constexpr Rule meta_field{
    .id = "v8snap.meta.field", .severity = Severity::error, .stage = Stage::read,
    .title = "`meta` names the columns and types that nodes and edges need, and names no column twice",
    .reason = "Readers look columns up by name; if one is missing, they read a different column or fail.",
    .example = "\"edge_fields\":[\"type\",\"name_or_index\"], without `to_node`",
    .advice = "Run heapcheck recover if a column is named twice: it renames the second one. Nothing can be recovered if a name is missing. If you write such files, write all names that V8 writes.",
    .anchor = "v8/heapsnapshot.md#meta", .since = "0.1"};
inline constexpr Rule meta_type{
    .id = "v8snap.meta.type", .severity = Severity::error, .stage = Stage::read,
    .title = "`meta` is an object, and its lists of columns and types contain only names",
    .reason = "Readers look names up in these lists, and fail if one of them is not a list or contains anything else.",
    .example = "\"node_fields\":[\"type\",1,\"id\"]",
    .advice = "Run heapcheck recover, which keeps the sections whose columns are known, but needs the columns of nodes and edges. If you write such files, write names as strings.",
    .anchor = "v8/heapsnapshot.md#meta", .since = "0.1"};
inline constexpr Rule section_missing{
    .id = "v8snap.section.missing", .severity = Severity::error, .stage = Stage::read,
    .title = "every section that the header announces is in the file",
    .reason = "DevTools searches the rest of the file for the section and stops with `Token not found`.",
    .example = "a header with `sample_fields` in a file without `samples`",
    .advice = "Run heapcheck recover, which adds missing sections as empty ones; it cannot replace the nodes. If you write such files, write an empty array for a section without rows.",
    .anchor = "v8/heapsnapshot.md#sections", .since = "0.1"};
inline constexpr Rule section_number{
    .id = "v8snap.section.number", .severity = Severity::error, .stage = Stage::read,
    .title = "an array of numbers contains integers from 0 to 2^64 - 1; only scopes may contain negative ones",
    .reason = "DevTools recognises only digits: it reads -16 as 16 and 1.5 as two numbers, and it skips strings.",
    .example = "\"nodes\":[9,1,1,-16,...], with a negative size",
    .advice = "Run heapcheck recover: in nodes and functions it sets such values to 0, and in other sections it drops their rows. If you write such files, write unsigned integers without an exponent.",
    .anchor = "v8/heapsnapshot.md#sections", .since = "0.1"};
inline constexpr Rule section_order{
    .id = "v8snap.section.order", .severity = Severity::error, .stage = Stage::read,
    .title = "sections that readers search for are in the order in which V8 writes them",
    .reason = "DevTools searches for each section after the previous one and stops with `Token not found`.",
    .example = "\"strings\" before \"nodes\"",
    .advice = "Run heapcheck recover, which writes the sections in V8's order.",
    .anchor = "v8/heapsnapshot.md#sections", .since = "0.1"};
inline constexpr Rule section_type{
    .id = "v8snap.section.type", .severity = Severity::error, .stage = Stage::read,
    .title = "every section is an array",
    .reason = "Readers fail, or read the next array instead.",
    .example = "\"samples\":null instead of \"samples\":[]",
    .advice = "Run heapcheck recover, which replaces the section with an empty array; without nodes, nothing can be recovered. If you write such files, write an empty array for a section without rows.",
    .anchor = "v8/heapsnapshot.md#sections", .since = "0.1"};
inline constexpr Rule section_unknown{
    .id = "v8snap.section.unknown", .severity = Severity::note, .stage = Stage::read,
    .title = "every section is one that a released version of V8 writes",
    .reason = "Readers skip unknown sections; heapcheck does not check them and drops them when it writes the file again.",
    .example = "\"more\":[1,2] between two sections",
    .advice = "Readers can still load the snapshot. Keep the original if you need such a section, because convert and recover leave it out.",
    .anchor = "v8/heapsnapshot.md#sections", .since = "0.1"};
inline constexpr Rule strings_type{
    .id = "v8snap.strings.type", .severity = Severity::error, .stage = Stage::read,
    .title = "`strings` contains only strings",
    .reason = "Readers show a wrong name, or fail when they need its length.",
    .example = "\"strings\":[\"<dummy>\",null]",
    .advice = "Run heapcheck recover, which replaces such values with empty strings. If you write such files, write an empty string for an object without a name.",
    .anchor = "v8/heapsnapshot.md#strings", .since = "0.1"};
inline constexpr Rule trace_tree_shape{
    .id = "v8snap.trace-tree.shape", .severity = Severity::error, .stage = Stage::read,
    .title = "`trace_tree` consists of nested rows with the columns that `meta` names",
    .reason = "DevTools relies on the number of columns to navigate the tree, so it misreads everything after a broken row.",
    .example = "\"trace_tree\":[1,0,0,0], a row without a list of children",
    .advice = "Run heapcheck recover to keep the calls before the broken row. If you write such files, write an empty list for a call without children.",
    .anchor = "v8/heapsnapshot.md#trace-tree", .since = "0.1"};
inline constexpr std::array faults{&file_bom, &file_prefix, &header_count, &header_type, &meta_field, &meta_type, &section_missing, &section_number, &section_order, &section_type, &section_unknown, &strings_type, &trace_tree_shape};
// clang-format on

}  // namespace heapcheck::v8::heapsnapshot::rules
