// Rules over the strings of a heap snapshot, and over what leads to them.
#pragma once

#include <array>

#include "validate/v8/heapsnapshot/cases.hpp"

namespace heapcheck::validation::v8::heapsnapshot::rules {

inline constexpr Rule strings_first{
    .id = "v8snap.strings.first",
    .severity = Severity::note,
    .stage = Stage::check,
    .title = "the first string is `<dummy>`, as V8 writes it",
    .reason = "Other engines have another; V8 keeps index 0 free, so that a name of 0 shows as a mistake.",
    .anchor = "v8/heapsnapshot.md#strings",
    .since = "0.1",
};
inline constexpr Rule strings_index{
    .id = "v8snap.strings.index",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "names lead to strings",
    .reason = "DevTools fails when it needs the name; others show `undefined`.",
    .anchor = "v8/heapsnapshot.md#strings",
    .since = "0.1",
};
inline constexpr Rule strings_repeated{
    .id = "v8snap.strings.repeated",
    .severity = Severity::note,
    .stage = Stage::check,
    .title = "strings are distinct",
    .reason =
        "V8 writes each once; readers that compare indices instead of texts take equal names for different "
        "ones.",
    .anchor = "v8/heapsnapshot.md#strings",
    .since = "0.1",
};

inline constexpr std::array string_rules{&strings_first, &strings_index, &strings_repeated};

}  // namespace heapcheck::validation::v8::heapsnapshot::rules

namespace heapcheck::validation::v8::heapsnapshot {

/// Everything that holds string indices. The strings must be sound.
void check_string_indices(const Snapshot& snapshot, core::FindingSink& sink);
void check_strings(const Snapshot& snapshot, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot
