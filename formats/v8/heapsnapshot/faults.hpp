// The rules that reading a heap snapshot of V8 can raise.
#pragma once

#include <array>

#include "heapcheck/finding.hpp"

namespace heapcheck::v8::heapsnapshot::rules {

// One line a member, however long.
// clang-format off
inline constexpr Rule file_bom{
    .id = "v8snap.file.byte-order-mark", .severity = Severity::warning, .stage = Stage::read,
    .title = "a snapshot begins without a byte order mark",
    .reason = "DevTools passes over it, JSON.parse refuses the file.",
    .anchor = "v8/heapsnapshot.md#document", .since = "0.1"};
inline constexpr Rule header_count{
    .id = "v8snap.header.count", .severity = Severity::error, .stage = Stage::read,
    .title = "the header says how many nodes and edges there are",
    .reason = "DevTools makes its arrays as long as the header says, and loads nothing without.",
    .anchor = "v8/heapsnapshot.md#header", .since = "0.1"};
inline constexpr Rule header_type{
    .id = "v8snap.header.type", .severity = Severity::error, .stage = Stage::read,
    .title = "`snapshot` is an object, and its counts are integers from 0 on",
    .reason = "DevTools and memlab fail, or take the count for something else.",
    .anchor = "v8/heapsnapshot.md#header", .since = "0.1"};
inline constexpr Rule meta_field{
    .id = "v8snap.meta.field", .severity = Severity::error, .stage = Stage::read,
    .title = "`meta` names the columns and types without which nodes and edges mean nothing",
    .reason = "Readers look columns up by name; without one they read something else, or fail.",
    .anchor = "v8/heapsnapshot.md#meta", .since = "0.1"};
inline constexpr Rule meta_type{
    .id = "v8snap.meta.type", .severity = Severity::error, .stage = Stage::read,
    .title = "`meta` is an object of lists of names",
    .reason = "Readers look columns up by name, and fail.",
    .anchor = "v8/heapsnapshot.md#meta", .since = "0.1"};
inline constexpr Rule section_missing{
    .id = "v8snap.section.missing", .severity = Severity::error, .stage = Stage::read,
    .title = "every section that the header announces is there",
    .reason = "DevTools searches the whole file for it, and ends with `Token not found`.",
    .anchor = "v8/heapsnapshot.md#sections", .since = "0.1"};
inline constexpr Rule section_number{
    .id = "v8snap.section.number", .severity = Severity::error, .stage = Stage::read,
    .title = "an array of numbers holds integers from 0 to 2^64 - 1, negative ones only in scopes",
    .reason = "DevTools sees digits only: it reads -16 as 16, 1.5 as two numbers, and skips texts.",
    .anchor = "v8/heapsnapshot.md#sections", .since = "0.1"};
inline constexpr Rule section_order{
    .id = "v8snap.section.order", .severity = Severity::error, .stage = Stage::read,
    .title = "sections stand in V8's order",
    .reason = "DevTools searches each section behind the one before, and ends with `Token not found`.",
    .anchor = "v8/heapsnapshot.md#sections", .since = "0.1"};
inline constexpr Rule section_type{
    .id = "v8snap.section.type", .severity = Severity::error, .stage = Stage::read,
    .title = "a section is an array",
    .reason = "Readers fail, or take the next array for it.",
    .anchor = "v8/heapsnapshot.md#sections", .since = "0.1"};
inline constexpr Rule section_unknown{
    .id = "v8snap.section.unknown", .severity = Severity::note, .stage = Stage::read,
    .title = "sections are those of released versions of V8",
    .reason = "Readers pass over what they do not know, so what it holds is not checked, and lost by writing anew.",
    .anchor = "v8/heapsnapshot.md#sections", .since = "0.1"};
inline constexpr Rule strings_type{
    .id = "v8snap.strings.type", .severity = Severity::error, .stage = Stage::read,
    .title = "`strings` holds strings only",
    .reason = "Readers show another value, or fail where they need its length.",
    .anchor = "v8/heapsnapshot.md#strings", .since = "0.1"};
inline constexpr Rule trace_tree_shape{
    .id = "v8snap.trace-tree.shape", .severity = Severity::error, .stage = Stage::read,
    .title = "`trace_tree` nests rows of the fields that `meta` names",
    .reason = "DevTools steps through it by the number of fields; what follows is taken for something else.",
    .anchor = "v8/heapsnapshot.md#trace-tree", .since = "0.1"};
inline constexpr std::array faults{&file_bom, &header_count, &header_type, &meta_field, &meta_type, &section_missing, &section_number, &section_order, &section_type, &section_unknown, &strings_type, &trace_tree_shape};
// clang-format on

}  // namespace heapcheck::v8::heapsnapshot::rules
