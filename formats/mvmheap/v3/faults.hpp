// The rules that the version 3 reader itself checks. They concern bytes that violate the grammar. The rules
// for the content are in validate/mvmheap/v3.
#pragma once

#include <array>

#include "heapcheck/types/finding.hpp"

namespace heapcheck::mvmheap::v3::rules {

// One line per member, however long.
// clang-format off
inline constexpr Rule block_kind{
    .id = "mvm3.block.kind", .severity = Severity::error, .stage = Stage::read,
    .title = "a block's kind is known and matches its content",
    .reason = "A reader that meets an unknown kind cannot tell where the block ends.",
    .example = "the kind `colsizX` before a column",
    .advice = "Run heapcheck recover to keep the complete snapshots. If you write such files, use only the 20 kinds that the specification defines.",
    .anchor = "mvmheap/v3.md#blocks", .since = "0.1"};
inline constexpr Rule block_kind_padding{
    .id = "mvm3.block.kind-padding", .severity = Severity::note, .stage = Stage::read,
    .title = "a kind is padded with NUL bytes",
    .reason = "MoarVM 2020.05 to 2020.12 did not clear the bytes after a short name, so the file contains whatever was in memory there. Readers that compare all 8 bytes do not recognise the kind.",
    .example = "`74 6f 70 49 44 73 00 65`: topIDs, a NUL, and a stray byte",
    .advice = "heapcheck convert --to mvmheap-v3 writes the padding as NUL bytes. If you read such files, end a kind at its first NUL.",
    .anchor = "mvmheap/v3.md#quirks", .since = "0.1"};
inline constexpr Rule block_order{
    .id = "mvm3.block.order", .severity = Severity::error, .stage = Stage::read,
    .title = "blocks come in the order that the format requires, each kind once per snapshot",
    .reason = "A reader misses columns, or assigns them to a different snapshot.",
    .example = "`coltofi` directly after `colkind`, where `colsize` belongs",
    .advice = "Run heapcheck recover to keep the complete snapshots. If you write such files, write the blocks of a part in the order of the specification, and leave out a group only as a whole.",
    .anchor = "mvmheap/v3.md#order", .since = "0.1"};
inline constexpr Rule block_size{
    .id = "mvm3.block.size", .severity = Severity::error, .stage = Stage::read,
    .title = "a size other than 0 is the size of the compressed content",
    .reason = "A reader that trusts the size looks for the next block in the wrong place.",
    .example = "a size of 286 before a frame of 285 bytes",
    .advice = "heapcheck recover writes the file with correct sizes. If you write such files, write 0 if the size is not known when the block begins.",
    .anchor = "mvmheap/v3.md#columns", .since = "0.1"};
inline constexpr Rule block_unaccounted{
    .id = "mvm3.block.unaccounted", .severity = Severity::error, .stage = Stage::read,
    .title = "every byte belongs to a block",
    .reason = "A reader that goes from block to block stops here.",
    .example = "four zero bytes between the frame of `colkind` and the kind `colsize`",
    .advice = "Run heapcheck recover to keep the complete snapshots. If you write such files, write blocks without gaps or alignment.",
    .anchor = "mvmheap/v3.md#order", .since = "0.1"};
inline constexpr Rule column_entry_size{
    .id = "mvm3.column.entry-size", .severity = Severity::error, .stage = Stage::read,
    .title = "a column's entries are 2, 4 or 8 bytes long",
    .reason = "A reader cannot tell where one value ends and the next begins.",
    .example = "a `colkind` block with an entry size of 1",
    .advice = "Run heapcheck recover to keep the complete snapshots. If you write such files, use the entry sizes that MoarVM uses, or 8 for larger values.",
    .anchor = "mvmheap/v3.md#columns", .since = "0.1"};
inline constexpr Rule column_partial_entry{
    .id = "mvm3.column.partial-entry", .severity = Severity::error, .stage = Stage::read,
    .title = "the content of a column is a whole number of entries",
    .reason = "Either the entry size or the content is wrong, so all values of the column are in doubt.",
    .example = "a column with entries of 4 bytes whose frame decompresses to 90 bytes",
    .advice = "Run heapcheck recover to keep the complete snapshots. If you write such files, check that the entry size in the block is the size in which the values were encoded.",
    .anchor = "mvmheap/v3.md#columns", .since = "0.1"};
inline constexpr Rule file_trailing_bytes{
    .id = "mvm3.file.trailing-bytes", .severity = Severity::error, .stage = Stage::read,
    .title = "nothing follows the last outer table of contents",
    .reason = "A reader assumes that the last 8 bytes of the file are the offset of the table of contents.",
    .example = "a line feed after the closing offset of the last table of contents",
    .advice = "heapcheck recover writes the file without the extra bytes. If you write such files, make sure that nothing is appended at the end.",
    .anchor = "mvmheap/v3.md#file", .since = "0.1"};
inline constexpr Rule file_truncated{
    .id = "mvm3.file.truncated", .severity = Severity::error, .stage = Stage::read,
    .title = "the file is complete to the end of its last outer table of contents",
    .reason = "The writing process died or the copy was cut short. Snapshots before the end can still be read from the front.",
    .example = "the file ends in the middle of the frame of `refdescr`",
    .advice = "Run heapcheck recover to keep the complete snapshots. If the file was copied, copy it again and compare the sizes.",
    .anchor = "mvmheap/v3.md#file", .since = "0.1"};
inline constexpr Rule filemeta_subversion{
    .id = "mvm3.filemeta.subversion", .severity = Severity::error, .stage = Stage::read,
    .title = "the subversion is 1",
    .reason = "A different subversion may have different blocks, and a reader of subversion 1 must not guess their meaning.",
    .example = "`{ \"subversion\": 2, ... }` in `filemeta`",
    .advice = "Look for a heapcheck release that supports the subversion. If you write such files, write 1 as long as you use the format in the specification.",
    .anchor = "mvmheap/v3.md#filemeta", .since = "0.1"};
inline constexpr Rule meta_field{
    .id = "mvm3.meta.field", .severity = Severity::error, .stage = Stage::read,
    .title = "a meta block has each of its fields exactly once, with a value of the right type",
    .reason = "A reader shows nothing, or a wrong number.",
    .example = "`\"snap_time\": -1` in `snapmeta`: a time is an integer from 0 to 2^64 - 1",
    .advice = "heapcheck recover computes the metadata of such a snapshot from its columns; times cannot be restored. If you write such files, write all fields that the specification lists.",
    .anchor = "mvmheap/v3.md#metas", .since = "0.1"};
inline constexpr Rule meta_json{
    .id = "mvm3.meta.json", .severity = Severity::error, .stage = Stage::read,
    .title = "a meta block contains one JSON object",
    .reason = "A reader cannot parse the block.",
    .example = "`{ \"snap_time\" = 634049147 }`, with an equals sign instead of a colon",
    .advice = "heapcheck recover computes the metadata of such a snapshot from its columns. If you write such files, generate the JSON with a library.",
    .anchor = "mvmheap/v3.md#metas", .since = "0.1"};
inline constexpr Rule meta_size{
    .id = "mvm3.meta.size", .severity = Severity::error, .stage = Stage::read,
    .title = "the size of a meta block includes its JSON and the closing NUL",
    .reason = "A reader looks for the next block in the wrong place.",
    .example = "a size of 186 before 186 bytes of JSON and a NUL, 187 bytes in total",
    .advice = "heapcheck recover writes the file with correct sizes. If you write such files, add 1 for the NUL.",
    .anchor = "mvmheap/v3.md#metas", .since = "0.1"};
inline constexpr Rule meta_terminator{
    .id = "mvm3.meta.terminator", .severity = Severity::error, .stage = Stage::read,
    .title = "the last byte of a meta block is a NUL",
    .reason = "Readers written in C expect a NUL after the JSON, and read past the end of the block.",
    .example = "a `snapmeta` block that ends in `}` and a blank (20) instead of `}` and a NUL (00)",
    .advice = "heapcheck recover writes the file with the NUL. If you write such files, write a NUL after the JSON and count it in the size.",
    .anchor = "mvmheap/v3.md#metas", .since = "0.1"};
inline constexpr Rule strings_framing{
    .id = "mvm3.strings.framing", .severity = Severity::error, .stage = Stage::read,
    .title = "strings and their lengths fill the string heap exactly",
    .reason = "After a wrong length, a reader looks for every string in the wrong place, and everything that refers to these strings gets the wrong name.",
    .example = "the length 40 before the last string, with 12 bytes left in the content",
    .advice = "Run heapcheck recover --placeholder-names to keep the graphs with placeholders for the lost names. If you write such files, write the length in bytes, not in characters.",
    .anchor = "mvmheap/v3.md#strings", .since = "0.1"};
inline constexpr Rule toc_count{
    .id = "mvm3.toc.count", .severity = Severity::error, .stage = Stage::read,
    .title = "a table of contents has the number of entries that its count states",
    .reason = "A reader mistakes other bytes for entries, or misses some.",
    .example = "a count of 17 before 18 entries and the closing offset",
    .advice = "heapcheck recover writes the file with new tables of contents. If you write such files, count the entries after the last block of the part.",
    .anchor = "mvmheap/v3.md#toc", .since = "0.1"};
inline constexpr Rule toc_own_start{
    .id = "mvm3.toc.own-start", .severity = Severity::error, .stage = Stage::read,
    .title = "a table of contents ends with the offset of its first byte",
    .reason = "A reader finds the last table of contents by the last 8 bytes of the file.",
    .example = "a table that starts at 5147 and ends with the offset 5",
    .advice = "heapcheck recover writes the file with new tables of contents. If you write such files, remember the offset of the kind toc and write it after the last entry.",
    .anchor = "mvmheap/v3.md#toc", .since = "0.1"};
inline constexpr std::array faults{&block_kind, &block_kind_padding, &block_order, &block_size, &block_unaccounted, &column_entry_size, &column_partial_entry, &file_trailing_bytes, &file_truncated, &filemeta_subversion, &meta_field, &meta_json, &meta_size, &meta_terminator, &strings_framing, &toc_count, &toc_own_start};
// clang-format on

}  // namespace heapcheck::mvmheap::v3::rules
