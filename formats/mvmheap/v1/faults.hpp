// The rules that the version 1 reader itself checks. They concern bytes that violate the grammar or follow it
// in a way that MoarVM never did. The rules for the content are in validate/mvmheap/v1.
#pragma once

#include <array>

#include "heapcheck/types/finding.hpp"

namespace heapcheck::mvmheap::v1::rules {

// One line per member, however long.
// clang-format off
inline constexpr Rule file_truncated{
    .id = "mvm1.file.truncated", .severity = Severity::error, .stage = Stage::read,
    .title = "the file is complete to the end of its last snapshot",
    .reason = "The writing process died or the copy was cut short. Snapshots before the end can still be read.",
    .example = "the file ends after `references: 2,0,1;2,1`, before the third number of an item",
    .advice = "Run heapcheck recover to keep the complete snapshots. If the file was copied, copy it again and compare the sizes.",
    .anchor = "mvmheap/v1.md#file", .since = "0.1"};
inline constexpr Rule item_fields{
    .id = "mvm1.item.fields", .severity = Severity::error, .stage = Stage::read,
    .title = "an item has one field for each column of its list",
    .reason = "A reader confuses the fields, or stops.",
    .example = "`references: 2,0,1;2,1` contains an item with two fields; a reference has three",
    .advice = "Run heapcheck recover to keep the complete snapshots. If you write such files, write every field of an item, even a field that is 0, and no semicolon after the last item.",
    .anchor = "mvmheap/v1.md#items", .since = "0.1"};
inline constexpr Rule item_leading_zero{
    .id = "mvm1.item.leading-zero", .severity = Severity::error, .stage = Stage::read,
    .title = "numbers have no leading zeros",
    .reason = "Some readers interpret such a number as octal, and MoarVM never writes one, so a digit may have changed.",
    .example = "`1,0,24,070,1,2`: the fourth field of the item should be 70",
    .advice = "Run heapcheck recover to keep the complete snapshots. If you write such files, write numbers in decimal without padding.",
    .anchor = "mvmheap/v1.md#items", .since = "0.1"};
inline constexpr Rule item_number{
    .id = "mvm1.item.number", .severity = Severity::error, .stage = Stage::read,
    .title = "every field is a decimal number",
    .reason = "A reader rejects the list, or reads the field as 0.",
    .example = "`9,0,x,0,0,4`: the third field is not a number",
    .advice = "Run heapcheck recover to keep the complete snapshots. If you write such files, write unsigned decimal digits only: no signs, blanks, exponents or digit separators.",
    .anchor = "mvmheap/v1.md#items", .since = "0.1"};
inline constexpr Rule item_range{
    .id = "mvm1.item.range", .severity = Severity::error, .stage = Stage::read,
    .title = "every number fits in its field",
    .reason = "A reader stores a different number.",
    .example = "`references: 4,0,1`: the kind of a reference is at most 3",
    .advice = "Run heapcheck recover to keep the complete snapshots. If you write such files, use kinds 0, 1 and 2 for references, keep their indices below 2^62, and keep all numbers below 2^64.",
    .anchor = "mvmheap/v1.md#items", .since = "0.1"};
inline constexpr Rule line_carriage_return{
    .id = "mvm1.line.carriage-return", .severity = Severity::warning, .stage = Stage::read,
    .title = "lines end in a line feed alone",
    .reason = "The file was written in text mode on Windows, or its line ends were converted later, so line feeds inside names may also have changed.",
    .example = "`snapshot 0` followed by the bytes 0d 0a",
    .advice = "Run heapcheck recover or heapcheck convert --to mvmheap-v1: both restore the line ends and, if all of them have a carriage return, the line feeds in names. Transfer such files in binary mode.",
    .anchor = "mvmheap/v1.md#lines", .since = "0.1"};
inline constexpr Rule line_duplicate{
    .id = "mvm1.line.duplicate", .severity = Severity::error, .stage = Stage::read,
    .title = "each table occurs once, and each list once per snapshot",
    .reason = "A reader keeps only the first line, keeps only the last, or joins them.",
    .example = "two lines that begin with `types: ` before the first snapshot",
    .advice = "Run heapcheck recover to keep the complete snapshots. heapcheck reads the first line and skips the others. If you write such files, write all rows of a table on one line.",
    .anchor = "mvmheap/v1.md#order", .since = "0.1"};
inline constexpr Rule line_empty{
    .id = "mvm1.line.empty", .severity = Severity::warning, .stage = Stage::read,
    .title = "an empty line follows the tables and each snapshot",
    .reason = "Readers that separate snapshots by empty lines join a snapshot with the next one.",
    .example = "`snapshot 1` directly after the line `references: ...` of snapshot 0",
    .advice = "heapcheck convert --to mvmheap-v1 writes the file with its empty lines. If you write such files, end the tables and every snapshot, including the last, with an empty line.",
    .anchor = "mvmheap/v1.md#lines", .since = "0.1"};
inline constexpr Rule line_ignored{
    .id = "mvm1.line.ignored", .severity = Severity::note, .stage = Stage::read,
    .title = "the file has no comments and no extra empty lines",
    .reason = "MoarVM writes neither. Its own reader skips them, but other readers may not.",
    .example = "`# made by hand` before `snapshot 0`",
    .advice = "Nothing needs to be done for readers that skip such lines. heapcheck convert --to mvmheap-v1 writes the file without them.",
    .anchor = "mvmheap/v1.md#lines", .since = "0.1"};
inline constexpr Rule line_joined{
    .id = "mvm1.line.joined", .severity = Severity::error, .stage = Stage::read,
    .title = "lines are separated by line feeds",
    .reason = "A reader misses the line and everything in it.",
    .example = "`types: 0,1static_frames: 0,1,7,0`, with no line feed between the two tables",
    .advice = "Run heapcheck recover to keep the complete snapshots. If you write such files, write a line feed after each list and after each snapshot number.",
    .anchor = "mvmheap/v1.md#lines", .since = "0.1"};
inline constexpr Rule line_late{
    .id = "mvm1.line.late", .severity = Severity::error, .stage = Stage::read,
    .title = "the tables come before the first snapshot",
    .reason = "A reader that shows snapshots as it reads them does not know the names yet.",
    .example = "`static_frames: 0,1,7,0` after the references of the last snapshot",
    .advice = "Move the line before the first snapshot. If you write such files, write the three tables first.",
    .anchor = "mvmheap/v1.md#order", .since = "0.1"};
inline constexpr Rule line_missing{
    .id = "mvm1.line.missing", .severity = Severity::error, .stage = Stage::read,
    .title = "the file has its three tables, and each snapshot its three lines",
    .reason = "A reader shows a snapshot without its names, its collectables or its references.",
    .example = "`snapshot 1`, then `references: ...` without a line `collectables: ...`",
    .advice = "Run heapcheck recover to keep the complete snapshots. If a table is missing, add --placeholder-names. If you write such files, write the line even if its list is empty.",
    .anchor = "mvmheap/v1.md#order", .since = "0.1"};
inline constexpr Rule line_order{
    .id = "mvm1.line.order", .severity = Severity::warning, .stage = Stage::read,
    .title = "lines come in the order in which MoarVM writes them",
    .reason = "Readers that rely on the order reject the file.",
    .example = "`types: 0,1` before `strings: [\"a\",\"b\"]`",
    .advice = "heapcheck convert --to mvmheap-v1 writes the lines in the usual order.",
    .anchor = "mvmheap/v1.md#order", .since = "0.1"};
inline constexpr Rule line_split{
    .id = "mvm1.line.split", .severity = Severity::error, .stage = Stage::read,
    .title = "a list does not continue on the next line",
    .reason = "A reader misses the rest of the list.",
    .example = "`collectables: 9,0,0,0,0,4;5,0` and a line feed, then `,0,0,125030,165`",
    .advice = "Run heapcheck recover to keep the complete snapshots. The file was probably wrapped by an editor or a mail program, so get the original if you can.",
    .anchor = "mvmheap/v1.md#lines", .since = "0.1"};
inline constexpr Rule line_unknown{
    .id = "mvm1.line.unknown", .severity = Severity::error, .stage = Stage::read,
    .title = "every line begins with one of the six known heads",
    .reason = "A reader does not know the meaning of the line.",
    .example = "`kinds: 0,1` where `types: 0,1` belongs",
    .advice = "Run heapcheck recover to keep the complete snapshots. If you write such files, spell the heads exactly as in the specification, including the blank at the end.",
    .anchor = "mvmheap/v1.md#lines", .since = "0.1"};
inline constexpr Rule snapshot_number{
    .id = "mvm1.snapshot.number", .severity = Severity::error, .stage = Stage::read,
    .title = "snapshots are numbered consecutively from 0",
    .reason = "A reader cannot tell whether snapshots are missing.",
    .example = "`snapshot 2` as the second snapshot, whose number is 1",
    .advice = "If snapshots may have been removed, ask for the original file. heapcheck recover numbers the remaining ones from 0.",
    .anchor = "mvmheap/v1.md#snapshots", .since = "0.1"};
inline constexpr Rule strings_end{
    .id = "mvm1.strings.end", .severity = Severity::error, .stage = Stage::read,
    .title = "the strings end with a quote, a bracket and the end of the line",
    .reason = "A reader mistakes the tables for names.",
    .example = "`strings: [\"a\",\"b]` and a line feed: the quote before the bracket is missing",
    .advice = "Run heapcheck recover to keep the complete snapshots. If you write such files, end the names with \"] and a line feed.",
    .anchor = "mvmheap/v1.md#names", .since = "0.1"};
inline constexpr Rule strings_escape{
    .id = "mvm1.strings.escape", .severity = Severity::error, .stage = Stage::read,
    .title = "every backslash in a name is escaped or escapes a quote",
    .reason = "Readers show a different name, or reject the strings.",
    .example = "`\"F\\o\"`, which should be `\"F\\\\o\"`: the name does not begin with a backslash",
    .advice = "heapcheck recover keeps the backslash as part of the name and escapes it. If you write such files, follow the table in the section Names.",
    .anchor = "mvmheap/v1.md#names", .since = "0.1"};
inline constexpr Rule strings_quote{
    .id = "mvm1.strings.quote", .severity = Severity::error, .stage = Stage::read,
    .title = "quotes in names are escaped, and names are separated by `\",\"`",
    .reason = "A reader that mistakes a stray quote for the end of a name counts the following names incorrectly and shows everything with the wrong names.",
    .example = "`\"a\"x\",\"b\"`: the quote before the x is not escaped",
    .advice = "Run heapcheck recover --placeholder-names to keep the graphs with placeholders for the names. If you write such files, escape quotes in every name that does not begin with one.",
    .anchor = "mvmheap/v1.md#names", .since = "0.1"};
inline constexpr Rule strings_undecidable{
    .id = "mvm1.strings.undecidable", .severity = Severity::note, .stage = Stage::read,
    .title = "the end of each name can be determined",
    .reason = "MoarVM does not escape the quotes of a name that begins with one. If such a name contains `\",\"`, the names after it are unknown.",
    .example = "`\"\"a\",\"b\"\"` may be one name, or two names, the second with a stray quote",
    .advice = "The file does not contain the answer. Take the dump with a later version of MoarVM, which writes version 2 or 3 and stores the length of each name.",
    .anchor = "mvmheap/v1.md#names", .since = "0.1"};
inline constexpr std::array faults{&file_truncated, &item_fields, &item_leading_zero, &item_number, &item_range, &line_carriage_return, &line_duplicate, &line_empty, &line_ignored, &line_joined, &line_late, &line_missing, &line_order, &line_split, &line_unknown, &snapshot_number, &strings_end, &strings_escape, &strings_quote, &strings_undecidable};
// clang-format on

}  // namespace heapcheck::mvmheap::v1::rules
