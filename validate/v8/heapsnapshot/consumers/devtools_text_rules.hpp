// What Chrome DevTools needs of the text of a heap snapshot beyond the format: it reads only the header and
// the strings as JSON, and searches for everything else.
#pragma once

#include <array>

#include "validate/v8/heapsnapshot/cases.hpp"
#include "validate/v8/heapsnapshot/consumers/consumer.hpp"

namespace heapcheck::validation::v8::heapsnapshot::consumers::rules {

inline constexpr Rule devtools_section_between{
    .id = "v8snap.devtools.section-between",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "nothing stands between `trace_function_infos` and `trace_tree`",
    .reason = "DevTools takes what follows the functions for the tree, whatever its name, and fails.",
    .anchor = "v8/devtools.md#sections",
    .since = "0.1",
};
inline constexpr Rule devtools_section_name{
    .id = "v8snap.devtools.section-name",
    .severity = Severity::error,
    .stage = Stage::check,
    .title =
        "the name of a section is spelled plainly, and stands nowhere before it where a section is searched",
    .reason =
        "DevTools searches the text for the name in quotes, and takes the next array: it finds none, or "
        "another.",
    .anchor = "v8/devtools.md#sections",
    .since = "0.1",
};
inline constexpr Rule devtools_strings_last{
    .id = "v8snap.devtools.strings-last",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "no `]` stands behind the strings",
    .reason = "DevTools takes everything up to the last `]` of the file for the strings, and fails.",
    .anchor = "v8/devtools.md#sections",
    .since = "0.1",
};
inline constexpr Rule devtools_text_length{
    .id = "v8snap.devtools.text-length",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "strings, trace tree and members of other names fit into 2^29 - 24 characters each",
    .reason = "DevTools holds each of them as one string, and fails with `Invalid string length`.",
    .anchor = "v8/devtools.md#sections",
    .since = "0.1",
};

inline constexpr std::array devtools_text_rules{
    &devtools_section_between,
    &devtools_section_name,
    &devtools_strings_last,
    &devtools_text_length,
};

}  // namespace heapcheck::validation::v8::heapsnapshot::consumers::rules

namespace heapcheck::validation::v8::heapsnapshot::consumers {

/// All of them. The text must have been read, see format::read_snapshot().
void check_text_for_devtools(const Snapshot& snapshot, const ConsumerProfile& reader,
                             core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot::consumers
