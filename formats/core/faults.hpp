// The rules that reading can raise whatever the format: the compression around a file, zstd frames inside
// it, and the caps of Limits, which end a check undecided.
#pragma once

#include "heapcheck/finding.hpp"

namespace heapcheck::core::rules {

inline constexpr Rule input_compression{"input.compression.damaged",
                                        Severity::error,
                                        Stage::read,
                                        "the compression around a file is whole",
                                        "What follows the damage cannot be read.",
                                        "diagnostics.md#compression",
                                        "0.1"};
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
inline constexpr Rule zstd_frame_magic{"zstd.frame.magic",
                                       Severity::error,
                                       Stage::read,
                                       "compressed content is one zstd frame",
                                       "A reader hands these bytes to libzstd, which refuses them.",
                                       "diagnostics.md#zstd",
                                       "0.1"};
inline constexpr Rule zstd_frame_corrupt{
    "zstd.frame.corrupt",
    Severity::error,
    Stage::read,
    "a zstd frame decodes",
    "libzstd stops in the middle of the content, so what the block holds cannot be read.",
    "diagnostics.md#zstd",
    "0.1"};
inline constexpr Rule zstd_frame_dictionary{
    "zstd.frame.dictionary",
    Severity::error,
    Stage::read,
    "a zstd frame needs no dictionary",
    "No heap dump comes with a dictionary, so a reader cannot decode the frame.",
    "diagnostics.md#zstd",
    "0.1"};

}  // namespace heapcheck::core::rules
