// The rules that the version 1 reader raises itself: places where the bytes do not follow the
// grammar, or follow it in a way that MoarVM never wrote. Rules over what was read stand in
// validate/mvmheap/v1.
#pragma once

#include "heapcheck/finding.hpp"

namespace heapcheck::mvmheap::v1::rules {

inline constexpr Rule file_truncated{
    "mvm1.file.truncated",
    Severity::error,
    Stage::read,
    "the file goes on to the empty line behind its last list",
    "The writing process died or the copy was cut. Snapshots before the cut can still be read.",
    "mvmheap/v1.md#file",
    "0.1"};
inline constexpr Rule item_fields{"mvm1.item.fields",
                                  Severity::error,
                                  Stage::read,
                                  "an item has as many fields as its list asks for",
                                  "A reader takes a field for another one, or stops.",
                                  "mvmheap/v1.md#items",
                                  "0.1"};
inline constexpr Rule item_leading_zero{
    "mvm1.item.leading-zero",
    Severity::error,
    Stage::read,
    "a number has no zero before its first digit",
    "Some readers take such a number for an octal one, and a digit may have changed.",
    "mvmheap/v1.md#items",
    "0.1"};
inline constexpr Rule item_number{"mvm1.item.number",
                                  Severity::error,
                                  Stage::read,
                                  "a field is a decimal number",
                                  "A reader refuses the list, or takes the field for 0.",
                                  "mvmheap/v1.md#items",
                                  "0.1"};
inline constexpr Rule item_range{"mvm1.item.range",
                                 Severity::error,
                                 Stage::read,
                                 "a number fits its field",
                                 "A reader stores another number.",
                                 "mvmheap/v1.md#items",
                                 "0.1"};
inline constexpr Rule line_carriage_return{
    "mvm1.line.carriage-return",
    Severity::warning,
    Stage::read,
    "a line ends in a line feed alone",
    "The file was converted on its way; line ends inside names may have changed too.",
    "mvmheap/v1.md#lines",
    "0.1"};
inline constexpr Rule line_duplicate{"mvm1.line.duplicate",
                                     Severity::error,
                                     Stage::read,
                                     "each line occurs once, or once a snapshot",
                                     "A reader keeps the first, or the last, or joins them.",
                                     "mvmheap/v1.md#order",
                                     "0.1"};
inline constexpr Rule line_empty{"mvm1.line.empty",
                                 Severity::warning,
                                 Stage::read,
                                 "an empty line stands behind the tables and behind each snapshot",
                                 "Readers that go by empty lines join a snapshot with the next one.",
                                 "mvmheap/v1.md#lines",
                                 "0.1"};
inline constexpr Rule line_ignored{"mvm1.line.ignored",
                                   Severity::note,
                                   Stage::read,
                                   "there are no comments and no further empty lines",
                                   "MoarVM writes none; its own reader skips them, others may not.",
                                   "mvmheap/v1.md#lines",
                                   "0.1"};
inline constexpr Rule line_joined{"mvm1.line.joined",
                                  Severity::error,
                                  Stage::read,
                                  "each line starts behind the end of the one before",
                                  "A reader misses the line, and what it says.",
                                  "mvmheap/v1.md#lines",
                                  "0.1"};
inline constexpr Rule line_late{"mvm1.line.late",
                                Severity::error,
                                Stage::read,
                                "the tables stand before the first snapshot",
                                "A reader that shows snapshots as they come does not know their names.",
                                "mvmheap/v1.md#order",
                                "0.1"};
inline constexpr Rule line_missing{"mvm1.line.missing",
                                   Severity::error,
                                   Stage::read,
                                   "the file has its three tables, and each snapshot its three lines",
                                   "A reader shows a snapshot without its names, collectables or references.",
                                   "mvmheap/v1.md#order",
                                   "0.1"};
inline constexpr Rule line_order{"mvm1.line.order",
                                 Severity::warning,
                                 Stage::read,
                                 "lines come in the order in which MoarVM writes them",
                                 "Readers that expect the order refuse the file.",
                                 "mvmheap/v1.md#order",
                                 "0.1"};
inline constexpr Rule line_split{"mvm1.line.split",
                                 Severity::error,
                                 Stage::read,
                                 "a list ends where its line ends",
                                 "A reader misses the rest of the list.",
                                 "mvmheap/v1.md#lines",
                                 "0.1"};
inline constexpr Rule line_unknown{"mvm1.line.unknown",
                                   Severity::error,
                                   Stage::read,
                                   "a line begins as the format says",
                                   "A reader cannot tell what the line holds.",
                                   "mvmheap/v1.md#lines",
                                   "0.1"};
inline constexpr Rule snapshot_number{"mvm1.snapshot.number",
                                      Severity::error,
                                      Stage::read,
                                      "snapshots are numbered from 0",
                                      "A reader cannot tell whether snapshots are missing.",
                                      "mvmheap/v1.md#snapshots",
                                      "0.1"};
inline constexpr Rule strings_end{"mvm1.strings.end",
                                  Severity::error,
                                  Stage::read,
                                  "the strings end in a quote, a bracket and the end of the line",
                                  "A reader takes the tables for names.",
                                  "mvmheap/v1.md#names",
                                  "0.1"};
inline constexpr Rule strings_escape{"mvm1.strings.escape",
                                     Severity::error,
                                     Stage::read,
                                     "a backslash in a name is escaped, or escapes a quote",
                                     "Readers show another name, or refuse the strings.",
                                     "mvmheap/v1.md#names",
                                     "0.1"};
inline constexpr Rule strings_quote{
    "mvm1.strings.quote",
    Severity::error,
    Stage::read,
    "a quote in a name is escaped, and names are separated by `\",\"`",
    "Names behind a lone quote are counted wrongly, and everything is shown under wrong names.",
    "mvmheap/v1.md#names",
    "0.1"};
inline constexpr Rule strings_undecidable{"mvm1.strings.undecidable",
                                          Severity::note,
                                          Stage::read,
                                          "it can be told where each name ends",
                                          "MoarVM does not escape quotes in a name that begins with one; if "
                                          "it holds `\",\"`, names from there on are unknown.",
                                          "mvmheap/v1.md#names",
                                          "0.1"};

}  // namespace heapcheck::mvmheap::v1::rules
