// The rules that reading a heap snapshot of V8 can raise.
#pragma once

#include "heapcheck/finding.hpp"

namespace heapcheck::v8::heapsnapshot::rules {

inline constexpr Rule file_bom{"v8snap.file.byte-order-mark",
                               Severity::warning,
                               Stage::read,
                               "a snapshot begins without a byte order mark",
                               "DevTools passes over it, JSON.parse refuses the file.",
                               "v8/heapsnapshot.md#document",
                               "0.1"};
inline constexpr Rule header_count{
    "v8snap.header.count",
    Severity::error,
    Stage::read,
    "the header says how many nodes and edges there are",
    "DevTools makes its arrays as long as the header says, and loads nothing without.",
    "v8/heapsnapshot.md#header",
    "0.1"};
inline constexpr Rule header_type{"v8snap.header.type",
                                  Severity::error,
                                  Stage::read,
                                  "`snapshot` is an object, and its counts are integers from 0 on",
                                  "DevTools and memlab fail, or take the count for something else.",
                                  "v8/heapsnapshot.md#header",
                                  "0.1"};
inline constexpr Rule meta_field{
    "v8snap.meta.field",
    Severity::error,
    Stage::read,
    "`meta` names the columns and types without which nodes and edges mean nothing",
    "Readers look columns up by name; without one they read something else, or fail.",
    "v8/heapsnapshot.md#meta",
    "0.1"};
inline constexpr Rule meta_type{"v8snap.meta.type",
                                Severity::error,
                                Stage::read,
                                "`meta` is an object of lists of names",
                                "Readers look columns up by name, and fail.",
                                "v8/heapsnapshot.md#meta",
                                "0.1"};
inline constexpr Rule section_missing{
    "v8snap.section.missing",
    Severity::error,
    Stage::read,
    "every section that the header announces is there",
    "DevTools searches the whole file for it, and ends with `Token not found`.",
    "v8/heapsnapshot.md#sections",
    "0.1"};
inline constexpr Rule section_number{
    "v8snap.section.number",
    Severity::error,
    Stage::read,
    "an array of numbers holds integers from 0 to 2^64 - 1, negative ones only in scopes",
    "DevTools sees digits only: it reads -16 as 16, 1.5 as two numbers, and skips texts.",
    "v8/heapsnapshot.md#sections",
    "0.1"};
inline constexpr Rule section_order{
    "v8snap.section.order",
    Severity::error,
    Stage::read,
    "sections stand in V8's order",
    "DevTools searches each section behind the one before, and ends with `Token not found`.",
    "v8/heapsnapshot.md#sections",
    "0.1"};
inline constexpr Rule section_type{"v8snap.section.type",
                                   Severity::error,
                                   Stage::read,
                                   "a section is an array",
                                   "Readers fail, or take the next array for it.",
                                   "v8/heapsnapshot.md#sections",
                                   "0.1"};
inline constexpr Rule section_unknown{
    "v8snap.section.unknown",
    Severity::note,
    Stage::read,
    "sections are those of released versions of V8",
    "Readers pass over what they do not know, so what it holds is not checked, and lost by writing anew.",
    "v8/heapsnapshot.md#sections",
    "0.1"};
inline constexpr Rule strings_type{"v8snap.strings.type",
                                   Severity::error,
                                   Stage::read,
                                   "`strings` holds strings only",
                                   "Readers show another value, or fail where they need its length.",
                                   "v8/heapsnapshot.md#strings",
                                   "0.1"};
inline constexpr Rule trace_tree_shape{
    "v8snap.trace-tree.shape",
    Severity::error,
    Stage::read,
    "`trace_tree` nests rows of the fields that `meta` names",
    "DevTools steps through it by the number of fields; what follows is taken for something else.",
    "v8/heapsnapshot.md#trace-tree",
    "0.1"};

}  // namespace heapcheck::v8::heapsnapshot::rules
