// What Chrome DevTools needs of the text of a heap snapshot beyond the format: it reads only the header and
// the strings as JSON, and searches for everything else.
#pragma once

#include "validate/v8/heapsnapshot/cases.hpp"
#include "validate/v8/heapsnapshot/consumers/consumer.hpp"

namespace heapcheck::validation::v8::heapsnapshot::consumers {

namespace rules {

inline constexpr Rule devtools_section_between{
    "v8snap.devtools.section-between",
    Severity::error,
    Stage::check,
    "nothing stands between `trace_function_infos` and `trace_tree`",
    "DevTools takes what follows the functions for the tree, whatever its name, and fails.",
    "v8/devtools.md#sections",
    "0.1"};
inline constexpr Rule devtools_section_name{
    "v8snap.devtools.section-name",
    Severity::error,
    Stage::check,
    "the name of a section is spelled plainly, and stands nowhere before it where a section is searched",
    "DevTools searches the text for the name in quotes, and takes the next array: it finds none, or another.",
    "v8/devtools.md#sections",
    "0.1"};
inline constexpr Rule devtools_strings_last{
    "v8snap.devtools.strings-last",
    Severity::error,
    Stage::check,
    "no `]` stands behind the strings",
    "DevTools takes everything up to the last `]` of the file for the strings, and fails.",
    "v8/devtools.md#sections",
    "0.1"};
inline constexpr Rule devtools_text_length{
    "v8snap.devtools.text-length",
    Severity::error,
    Stage::check,
    "strings, trace tree and members of other names fit into 2^29 - 24 characters each",
    "DevTools holds each of them as one string, and fails with `Invalid string length`.",
    "v8/devtools.md#sections",
    "0.1"};

}  // namespace rules

/// All of them. The text must have been read, see format::read_snapshot().
void check_text_for_devtools(const Snapshot& snapshot, const ConsumerProfile& reader,
                             core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot::consumers
