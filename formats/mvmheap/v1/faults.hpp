// The rules that the version 1 reader raises itself: places where the bytes do not follow the
// grammar, or follow it in a way that MoarVM never wrote. Rules over what was read stand in
// validate/mvmheap/v1.
#pragma once

#include <array>

#include "heapcheck/finding.hpp"

namespace heapcheck::mvmheap::v1::rules {

// One line a member, however long.
// clang-format off
inline constexpr Rule file_truncated{
    .id = "mvm1.file.truncated", .severity = Severity::error, .stage = Stage::read,
    .title = "the file goes on to the empty line behind its last list",
    .reason = "The writing process died or the copy was cut. Snapshots before the cut can still be read.",
    .anchor = "mvmheap/v1.md#file", .since = "0.1"};
inline constexpr Rule item_fields{
    .id = "mvm1.item.fields", .severity = Severity::error, .stage = Stage::read,
    .title = "an item has as many fields as its list asks for",
    .reason = "A reader takes a field for another one, or stops.",
    .anchor = "mvmheap/v1.md#items", .since = "0.1"};
inline constexpr Rule item_leading_zero{
    .id = "mvm1.item.leading-zero", .severity = Severity::error, .stage = Stage::read,
    .title = "a number has no zero before its first digit",
    .reason = "Some readers take such a number for an octal one, and a digit may have changed.",
    .anchor = "mvmheap/v1.md#items", .since = "0.1"};
inline constexpr Rule item_number{
    .id = "mvm1.item.number", .severity = Severity::error, .stage = Stage::read,
    .title = "a field is a decimal number",
    .reason = "A reader refuses the list, or takes the field for 0.",
    .anchor = "mvmheap/v1.md#items", .since = "0.1"};
inline constexpr Rule item_range{
    .id = "mvm1.item.range", .severity = Severity::error, .stage = Stage::read,
    .title = "a number fits its field",
    .reason = "A reader stores another number.",
    .anchor = "mvmheap/v1.md#items", .since = "0.1"};
inline constexpr Rule line_carriage_return{
    .id = "mvm1.line.carriage-return", .severity = Severity::warning, .stage = Stage::read,
    .title = "a line ends in a line feed alone",
    .reason = "The file was converted on its way; line ends inside names may have changed too.",
    .anchor = "mvmheap/v1.md#lines", .since = "0.1"};
inline constexpr Rule line_duplicate{
    .id = "mvm1.line.duplicate", .severity = Severity::error, .stage = Stage::read,
    .title = "each line occurs once, or once a snapshot",
    .reason = "A reader keeps the first, or the last, or joins them.",
    .anchor = "mvmheap/v1.md#order", .since = "0.1"};
inline constexpr Rule line_empty{
    .id = "mvm1.line.empty", .severity = Severity::warning, .stage = Stage::read,
    .title = "an empty line stands behind the tables and behind each snapshot",
    .reason = "Readers that go by empty lines join a snapshot with the next one.",
    .anchor = "mvmheap/v1.md#lines", .since = "0.1"};
inline constexpr Rule line_ignored{
    .id = "mvm1.line.ignored", .severity = Severity::note, .stage = Stage::read,
    .title = "there are no comments and no further empty lines",
    .reason = "MoarVM writes none; its own reader skips them, others may not.",
    .anchor = "mvmheap/v1.md#lines", .since = "0.1"};
inline constexpr Rule line_joined{
    .id = "mvm1.line.joined", .severity = Severity::error, .stage = Stage::read,
    .title = "each line starts behind the end of the one before",
    .reason = "A reader misses the line, and what it says.",
    .anchor = "mvmheap/v1.md#lines", .since = "0.1"};
inline constexpr Rule line_late{
    .id = "mvm1.line.late", .severity = Severity::error, .stage = Stage::read,
    .title = "the tables stand before the first snapshot",
    .reason = "A reader that shows snapshots as they come does not know their names.",
    .anchor = "mvmheap/v1.md#order", .since = "0.1"};
inline constexpr Rule line_missing{
    .id = "mvm1.line.missing", .severity = Severity::error, .stage = Stage::read,
    .title = "the file has its three tables, and each snapshot its three lines",
    .reason = "A reader shows a snapshot without its names, collectables or references.",
    .anchor = "mvmheap/v1.md#order", .since = "0.1"};
inline constexpr Rule line_order{
    .id = "mvm1.line.order", .severity = Severity::warning, .stage = Stage::read,
    .title = "lines come in the order in which MoarVM writes them",
    .reason = "Readers that expect the order refuse the file.",
    .anchor = "mvmheap/v1.md#order", .since = "0.1"};
inline constexpr Rule line_split{
    .id = "mvm1.line.split", .severity = Severity::error, .stage = Stage::read,
    .title = "a list ends where its line ends",
    .reason = "A reader misses the rest of the list.",
    .anchor = "mvmheap/v1.md#lines", .since = "0.1"};
inline constexpr Rule line_unknown{
    .id = "mvm1.line.unknown", .severity = Severity::error, .stage = Stage::read,
    .title = "a line begins as the format says",
    .reason = "A reader cannot tell what the line holds.",
    .anchor = "mvmheap/v1.md#lines", .since = "0.1"};
inline constexpr Rule snapshot_number{
    .id = "mvm1.snapshot.number", .severity = Severity::error, .stage = Stage::read,
    .title = "snapshots are numbered from 0",
    .reason = "A reader cannot tell whether snapshots are missing.",
    .anchor = "mvmheap/v1.md#snapshots", .since = "0.1"};
inline constexpr Rule strings_end{
    .id = "mvm1.strings.end", .severity = Severity::error, .stage = Stage::read,
    .title = "the strings end in a quote, a bracket and the end of the line",
    .reason = "A reader takes the tables for names.",
    .anchor = "mvmheap/v1.md#names", .since = "0.1"};
inline constexpr Rule strings_escape{
    .id = "mvm1.strings.escape", .severity = Severity::error, .stage = Stage::read,
    .title = "a backslash in a name is escaped, or escapes a quote",
    .reason = "Readers show another name, or refuse the strings.",
    .anchor = "mvmheap/v1.md#names", .since = "0.1"};
inline constexpr Rule strings_quote{
    .id = "mvm1.strings.quote", .severity = Severity::error, .stage = Stage::read,
    .title = "a quote in a name is escaped, and names are separated by `\",\"`",
    .reason = "Names behind a lone quote are counted wrongly, and everything is shown under wrong names.",
    .anchor = "mvmheap/v1.md#names", .since = "0.1"};
inline constexpr Rule strings_undecidable{
    .id = "mvm1.strings.undecidable", .severity = Severity::note, .stage = Stage::read,
    .title = "it can be told where each name ends",
    .reason = "MoarVM does not escape quotes in a name that begins with one; if it holds `\",\"`, names from there on are unknown.",
    .anchor = "mvmheap/v1.md#names", .since = "0.1"};
inline constexpr std::array faults{&file_truncated, &item_fields, &item_leading_zero, &item_number, &item_range, &line_carriage_return, &line_duplicate, &line_empty, &line_ignored, &line_joined, &line_late, &line_missing, &line_order, &line_split, &line_unknown, &snapshot_number, &strings_end, &strings_escape, &strings_quote, &strings_undecidable};
// clang-format on

}  // namespace heapcheck::mvmheap::v1::rules
