// The rules that reading can raise whatever the format: the compression around a file, zstd frames inside
// it, and the caps of Limits, which end a check undecided.
#pragma once

#include <array>

#include "heapcheck/finding.hpp"

namespace heapcheck::core::rules {

// One line a member, however long.
// clang-format off
inline constexpr Rule input_compression{
    .id = "input.compression.damaged", .severity = Severity::error, .stage = Stage::read,
    .title = "the compression around a file is whole",
    .reason = "What follows the damage cannot be read.",
    .anchor = "diagnostics.md#compression", .since = "0.1"};
inline constexpr Rule limit_expanded_bytes{
    .id = "limit.expanded-bytes", .severity = Severity::error, .stage = Stage::limit,
    .title = "compressed content expands within the limit",
    .reason = "A few kilobytes can expand to gigabytes. Reading stops before memory runs out; a higher --max-expanded lets it go on.",
    .anchor = "diagnostics.md#limits", .since = "0.1"};
inline constexpr Rule limit_frame_window{
    .id = "limit.frame-window", .severity = Severity::error, .stage = Stage::limit,
    .title = "a zstd frame asks for a window within the limit",
    .reason = "The decoder would have to keep the whole window in memory.",
    .anchor = "diagnostics.md#limits", .since = "0.1"};
inline constexpr Rule limit_input_bytes{
    .id = "limit.input-bytes", .severity = Severity::error, .stage = Stage::limit,
    .title = "a compressed input expands within the limit",
    .reason = "An input compressed whole can expand without end.",
    .anchor = "diagnostics.md#limits", .since = "0.1"};
inline constexpr Rule limit_items{
    .id = "limit.items", .severity = Severity::error, .stage = Stage::limit,
    .title = "a file has no more parts than the limit",
    .reason = "A file of a few megabytes can hold millions of empty parts, and each costs memory.",
    .anchor = "diagnostics.md#limits", .since = "0.1"};
inline constexpr Rule limit_memory{
    .id = "limit.memory", .severity = Severity::error, .stage = Stage::limit,
    .title = "the columns of one snapshot fit into the memory limit",
    .reason = "Reading stops before memory runs out; a higher --max-memory lets it go on.",
    .anchor = "diagnostics.md#limits", .since = "0.1"};
inline constexpr Rule zstd_frame_corrupt{
    .id = "zstd.frame.corrupt", .severity = Severity::error, .stage = Stage::read,
    .title = "a zstd frame decodes",
    .reason = "libzstd stops in the middle of the content, so what the block holds cannot be read.",
    .anchor = "diagnostics.md#zstd", .since = "0.1"};
inline constexpr Rule zstd_frame_dictionary{
    .id = "zstd.frame.dictionary", .severity = Severity::error, .stage = Stage::read,
    .title = "a zstd frame needs no dictionary",
    .reason = "No heap dump comes with a dictionary, so a reader cannot decode the frame.",
    .anchor = "diagnostics.md#zstd", .since = "0.1"};
inline constexpr Rule zstd_frame_magic{
    .id = "zstd.frame.magic", .severity = Severity::error, .stage = Stage::read,
    .title = "compressed content is one zstd frame",
    .reason = "A reader hands these bytes to libzstd, which refuses them.",
    .anchor = "diagnostics.md#zstd", .since = "0.1"};
inline constexpr std::array faults{&input_compression, &limit_expanded_bytes, &limit_frame_window, &limit_input_bytes, &limit_items, &limit_memory, &zstd_frame_corrupt, &zstd_frame_dictionary, &zstd_frame_magic};
// clang-format on

}  // namespace heapcheck::core::rules
