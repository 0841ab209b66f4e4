// Rules over the strings of a heap snapshot, and over what leads to them.
#pragma once

#include "validate/v8/heapsnapshot/cases.hpp"

namespace heapcheck::validation::v8::heapsnapshot {

namespace rules {

inline constexpr Rule strings_first{
    "v8snap.strings.first",
    Severity::note,
    Stage::check,
    "the first string is `<dummy>`, as V8 writes it",
    "Other engines have another; V8 keeps index 0 free, so that a name of 0 shows as a mistake.",
    "v8/heapsnapshot.md#strings",
    "0.1"};
inline constexpr Rule strings_index{"v8snap.strings.index",
                                    Severity::error,
                                    Stage::check,
                                    "names lead to strings",
                                    "DevTools fails when it needs the name; others show `undefined`.",
                                    "v8/heapsnapshot.md#strings",
                                    "0.1"};
inline constexpr Rule strings_repeated{
    "v8snap.strings.repeated",
    Severity::note,
    Stage::check,
    "strings are distinct",
    "V8 writes each once; readers that compare indices instead of texts take equal names for different ones.",
    "v8/heapsnapshot.md#strings",
    "0.1"};

}  // namespace rules

/// Everything that holds string indices. The strings must be sound.
void check_string_indices(const Snapshot& snapshot, core::FindingSink& sink);
void check_strings(const Snapshot& snapshot, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot
