// The rules that end a check undecided: a cap of Limits was reached before everything was read.
#pragma once

#include "heapcheck/finding.hpp"

namespace heapcheck::core::rules {

inline constexpr Rule limit_expanded_bytes{
    "limit.expanded-bytes",
    Severity::error,
    Stage::limit,
    "compressed content expands within the limit",
    "A few kilobytes can expand to gigabytes. Reading stops before memory runs out; a higher "
    "--max-expanded lets it go on.",
    "diagnostics.md#limits",
    "0.1"};
inline constexpr Rule limit_frame_window{"limit.frame-window",
                                         Severity::error,
                                         Stage::limit,
                                         "a zstd frame asks for a window within the limit",
                                         "The decoder would have to keep the whole window in memory.",
                                         "diagnostics.md#limits",
                                         "0.1"};
inline constexpr Rule limit_memory{
    "limit.memory",
    Severity::error,
    Stage::limit,
    "the columns of one snapshot fit into the memory limit",
    "Reading stops before memory runs out; a higher --max-memory lets it go on.",
    "diagnostics.md#limits",
    "0.1"};
inline constexpr Rule limit_items{
    "limit.items",
    Severity::error,
    Stage::limit,
    "a file has no more parts than the limit",
    "A file of a few megabytes can hold millions of empty parts, and each costs memory.",
    "diagnostics.md#limits",
    "0.1"};
inline constexpr Rule limit_input_bytes{"limit.input-bytes",
                                        Severity::error,
                                        Stage::limit,
                                        "a compressed input expands within the limit",
                                        "An input compressed whole can expand without end.",
                                        "diagnostics.md#limits",
                                        "0.1"};

}  // namespace heapcheck::core::rules
