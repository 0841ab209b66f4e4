// The rules that files of any format can violate. They concern the compression around a file, zstd frames
// inside the file, and the Limits, which leave a check undecided if they are reached.
#pragma once

#include <array>

#include "heapcheck/types/finding.hpp"

namespace heapcheck::core::rules {

// One line per member, however long.
// clang-format off
inline constexpr Rule input_compression{
    .id = "input.compression.damaged", .severity = Severity::error, .stage = Stage::read,
    .title = "the compression or archive around a file is intact",
    .reason = "Nothing after the damage can be decompressed, so the rest of the file cannot be read. If a checksum is wrong, any part of the content may be wrong, so findings in it are not reported.",
    .example = "a .gz file that ends in the middle of its compressed stream",
    .advice = "Copy or download the file again and compare checksums. heapcheck recover keeps the content before the damage. If you write such files, finish the compressed stream before the process exits.",
    .anchor = "diagnostics.md#compression", .since = "0.1"};
inline constexpr Rule input_trailing_bytes{
    .id = "input.compression.trailing-bytes", .severity = Severity::warning, .stage = Stage::read,
    .title = "the file ends where its gzip or zstd stream or its zip archive ends",
    .reason = "The content is complete, but bytes were added after it, so the file was changed after it was compressed. Programs such as gzip ignore these bytes with a warning; others reject the file.",
    .example = "a .gz file with 10 bytes of text after its last stream",
    .advice = "Compress the content again. If the bytes are a continuation of the file, find out why they do not begin with a stream header.",
    .anchor = "diagnostics.md#compression", .since = "0.1"};
inline constexpr Rule input_unknown_format{
    .id = "input.unknown-format", .severity = Severity::error, .stage = Stage::read,
    .title = "a file is a heap dump in a known format",
    .reason = "Nothing in the file was checked. With --for, the format may be known, but not supported by that reader.",
    .example = "a PNG image, or a JSON document without the members of a heap dump",
    .advice = "Check whether this is the file that you meant. heapcheck recognises a format by the content of the file, not by its name.",
    .anchor = "diagnostics.md#unreadable", .since = "0.2"};
inline constexpr Rule input_unreadable{
    .id = "input.unreadable", .severity = Severity::error, .stage = Stage::read,
    .title = "a file can be opened and read",
    .reason = "Nothing in the file was checked.",
    .example = "a path that does not lead to a file, or a file that the user may not read",
    .advice = "Check the path and the permissions of the file.",
    .anchor = "diagnostics.md#unreadable", .since = "0.2"};
inline constexpr Rule limit_expanded_bytes{
    .id = "limit.expanded-bytes", .severity = Severity::error, .stage = Stage::limit,
    .title = "compressed content decompresses to no more than the limit",
    .reason = "A few kilobytes can decompress to gigabytes. Reading stops before memory runs out.",
    .example = "a frame of 4 KiB that decompresses to 1 GiB of zeros",
    .advice = "If you trust the file, raise the limit with --max-expanded. Dumps of released MoarVM versions stay below it, so first check where the file comes from.",
    .anchor = "diagnostics.md#limits", .since = "0.1"};
inline constexpr Rule limit_frame_window{
    .id = "limit.frame-window", .severity = Severity::error, .stage = Stage::limit,
    .title = "the window of a zstd frame does not exceed the limit",
    .reason = "The decoder would have to keep the whole window in memory.",
    .example = "a frame that requires a window of 32 MiB, where the limit is 16 MiB",
    .advice = "Decompress the frames and compress them again with a smaller window, such as the window of zstd -19. If you write such files, set the window log to 24 or less.",
    .anchor = "diagnostics.md#limits", .since = "0.1"};
inline constexpr Rule limit_input_bytes{
    .id = "limit.input-bytes", .severity = Severity::error, .stage = Stage::limit,
    .title = "a compressed file decompresses to no more than the limit",
    .reason = "A compressed file can decompress to a practically endless amount of data.",
    .example = "a .zst file of a few megabytes that decompresses to more than 1 TiB",
    .advice = "No real dump is that large, so check where the file comes from. To look at its content, decompress it with a different tool.",
    .anchor = "diagnostics.md#limits", .since = "0.1"};
inline constexpr Rule limit_items{
    .id = "limit.items", .severity = Severity::error, .stage = Stage::limit,
    .title = "a file has no more parts than the limit",
    .reason = "A file of a few megabytes can contain millions of empty parts, and each of them takes up memory.",
    .example = "a dump of version 3 with two million empty blocks, where the limit is one million",
    .advice = "No released program writes this many parts, so check where the file comes from. If you write such files, take fewer snapshots per file, or store fewer and larger blocks.",
    .anchor = "diagnostics.md#limits", .since = "0.1"};
inline constexpr Rule limit_memory{
    .id = "limit.memory", .severity = Severity::error, .stage = Stage::limit,
    .title = "the columns of one snapshot fit within the memory limit",
    .reason = "Reading stops before memory runs out.",
    .example = "a snapshot with 2 GB of columns, read with --max-memory 1G",
    .advice = "Raise the limit with --max-memory if the machine has enough memory, or check the file on a larger machine.",
    .anchor = "diagnostics.md#limits", .since = "0.1"};
inline constexpr Rule limit_search_bytes{
    .id = "limit.search-bytes", .severity = Severity::error, .stage = Stage::limit,
    .title = "after damage, readable content is found before the limit is reached",
    .reason = "A pipe may never end, and a sparse file may have terabytes without any content.",
    .example = "a file of 100 GB to which only the first 16 bytes of a dump were written",
    .advice = "Check whether the file was written completely. The content before the damage can be recovered.",
    .anchor = "diagnostics.md#limits", .since = "0.2"};
inline constexpr Rule limit_time{
    .id = "limit.time", .severity = Severity::error, .stage = Stage::limit,
    .title = "a file is read within the time limit",
    .reason = "A file of a few megabytes can decompress to terabytes, and a pipe may never end.",
    .example = "a trace that takes 30 seconds to read, with --timeout 10",
    .advice = "Raise the time limit with --timeout, or leave the option out.",
    .anchor = "diagnostics.md#limits", .since = "0.2"};
inline constexpr Rule limit_unrecognised{
    .id = "limit.unrecognised", .severity = Severity::error, .stage = Stage::limit,
    .title = "the format of a file is recognised within the limits",
    .reason = "Reading stops before memory or time runs out.",
    .example = "a .gz file with 100 GB of white space",
    .advice = "Check where the file comes from. If you trust it, raise the limit that the message names.",
    .anchor = "diagnostics.md#unreadable", .since = "0.2"};
inline constexpr Rule zstd_frame_corrupt{
    .id = "zstd.frame.corrupt", .severity = Severity::error, .stage = Stage::read,
    .title = "a zstd frame can be decoded completely",
    .reason = "libzstd stops in the middle of the content, so a reader loses the rest of the block.",
    .example = "a frame with the checksum 8f3a01c2, although the checksum of its content is 5b1e77d0",
    .advice = "Copy the file again if you can. Run heapcheck recover to keep the complete snapshots of the dump.",
    .anchor = "diagnostics.md#zstd", .since = "0.1"};
inline constexpr Rule zstd_frame_dictionary{
    .id = "zstd.frame.dictionary", .severity = Severity::error, .stage = Stage::read,
    .title = "a zstd frame needs no dictionary",
    .reason = "No heap dump comes with a dictionary, and without one a reader cannot decode the frame.",
    .example = "a frame header with the dictionary id 7",
    .advice = "If you have the dictionary, decompress the frames and compress them again without it. If you write such files, do not load a dictionary into the compressor.",
    .anchor = "diagnostics.md#zstd", .since = "0.1"};
inline constexpr Rule zstd_frame_magic{
    .id = "zstd.frame.magic", .severity = Severity::error, .stage = Stage::read,
    .title = "compressed content is a single zstd frame",
    .reason = "Readers pass these bytes to libzstd, which rejects them.",
    .example = "content that starts with 1f 8b 08 00 (gzip) instead of 28 b5 2f fd",
    .advice = "Run heapcheck recover to keep the complete snapshots of the dump. If you write such files, compress each block as one zstd frame, without any skippable frames.",
    .anchor = "diagnostics.md#zstd", .since = "0.1"};
inline constexpr std::array faults{&input_compression, &input_trailing_bytes, &input_unknown_format, &input_unreadable, &limit_expanded_bytes, &limit_frame_window, &limit_input_bytes, &limit_items, &limit_memory, &limit_search_bytes, &limit_time, &limit_unrecognised, &zstd_frame_corrupt, &zstd_frame_dictionary, &zstd_frame_magic};
// clang-format on

}  // namespace heapcheck::core::rules
