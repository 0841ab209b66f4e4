// The rules that the version 3 reader raises itself: places where the bytes do not follow the
// grammar. Rules over what was read stand in validate/mvmheap/v3.
#pragma once

#include <array>

#include "heapcheck/finding.hpp"

namespace heapcheck::mvmheap::v3::rules {

// One line a member, however long.
// clang-format off
inline constexpr Rule block_kind{
    .id = "mvm3.block.kind", .severity = Severity::error, .stage = Stage::read,
    .title = "a block's kind is known and fits its content",
    .reason = "A reader that meets an unknown kind cannot tell where the block ends.",
    .anchor = "mvmheap/v3.md#blocks", .since = "0.1"};
inline constexpr Rule block_kind_padding{
    .id = "mvm3.block.kind-padding", .severity = Severity::note, .stage = Stage::read,
    .title = "a block's kind is padded with NUL",
    .reason = "MoarVM 2020.05 to 2020.12 copied the byte behind a short kind's NUL into the file.",
    .anchor = "mvmheap/v3.md#quirks", .since = "0.1"};
inline constexpr Rule block_order{
    .id = "mvm3.block.order", .severity = Severity::error, .stage = Stage::read,
    .title = "blocks come in the order of the format, each kind once a snapshot",
    .reason = "Columns would be missing, or taken for those of another snapshot.",
    .anchor = "mvmheap/v3.md#order", .since = "0.1"};
inline constexpr Rule block_size{
    .id = "mvm3.block.size", .severity = Severity::error, .stage = Stage::read,
    .title = "a size that is not 0 is the size of the compressed content",
    .reason = "A reader that trusts the size looks for the next block in the wrong place.",
    .anchor = "mvmheap/v3.md#columns", .since = "0.1"};
inline constexpr Rule block_unaccounted{
    .id = "mvm3.block.unaccounted", .severity = Severity::error, .stage = Stage::read,
    .title = "every byte belongs to a block",
    .reason = "A reader that goes from block to block stops here.",
    .anchor = "mvmheap/v3.md#order", .since = "0.1"};
inline constexpr Rule column_entry_size{
    .id = "mvm3.column.entry-size", .severity = Severity::error, .stage = Stage::read,
    .title = "a column's entries have 2, 4 or 8 bytes",
    .reason = "A reader cannot tell where one value ends and the next begins.",
    .anchor = "mvmheap/v3.md#columns", .since = "0.1"};
inline constexpr Rule column_partial_entry{
    .id = "mvm3.column.partial-entry", .severity = Severity::error, .stage = Stage::read,
    .title = "a column holds whole entries",
    .reason = "The entry size or the content is wrong, so all values of the column are in doubt.",
    .anchor = "mvmheap/v3.md#columns", .since = "0.1"};
inline constexpr Rule file_trailing_bytes{
    .id = "mvm3.file.trailing-bytes", .severity = Severity::error, .stage = Stage::read,
    .title = "nothing follows the last outer table of contents",
    .reason = "A reader takes the last 8 bytes of the file for the place of the table of contents.",
    .anchor = "mvmheap/v3.md#file", .since = "0.1"};
inline constexpr Rule file_truncated{
    .id = "mvm3.file.truncated", .severity = Severity::error, .stage = Stage::read,
    .title = "the file goes on to its last outer table of contents",
    .reason = "The writing process died or the copy was cut. Snapshots before the cut can still be read from the front.",
    .anchor = "mvmheap/v3.md#file", .since = "0.1"};
inline constexpr Rule filemeta_subversion{
    .id = "mvm3.filemeta.subversion", .severity = Severity::error, .stage = Stage::read,
    .title = "the subversion is 1",
    .reason = "Another subversion may hold other blocks; a reader of subversion 1 must not guess.",
    .anchor = "mvmheap/v3.md#filemeta", .since = "0.1"};
inline constexpr Rule meta_field{
    .id = "mvm3.meta.field", .severity = Severity::error, .stage = Stage::read,
    .title = "a meta block has its fields, once each, with values of their type",
    .reason = "A reader shows nothing, or a wrong number.",
    .anchor = "mvmheap/v3.md#metas", .since = "0.1"};
inline constexpr Rule meta_json{
    .id = "mvm3.meta.json", .severity = Severity::error, .stage = Stage::read,
    .title = "a meta block holds one JSON object",
    .reason = "A reader cannot learn what the block says.",
    .anchor = "mvmheap/v3.md#metas", .since = "0.1"};
inline constexpr Rule meta_size{
    .id = "mvm3.meta.size", .severity = Severity::error, .stage = Stage::read,
    .title = "the size of a meta block counts its JSON and the closing NUL",
    .reason = "A reader looks for the next block in the wrong place.",
    .anchor = "mvmheap/v3.md#metas", .since = "0.1"};
inline constexpr Rule meta_terminator{
    .id = "mvm3.meta.terminator", .severity = Severity::error, .stage = Stage::read,
    .title = "the last byte of a meta block is a NUL",
    .reason = "Readers in C take the JSON for a terminated string.",
    .anchor = "mvmheap/v3.md#metas", .since = "0.1"};
inline constexpr Rule strings_framing{
    .id = "mvm3.strings.framing", .severity = Severity::error, .stage = Stage::read,
    .title = "the lengths of a string heap add up to its content",
    .reason = "All strings behind a wrong length are read at wrong places, and every name with them.",
    .anchor = "mvmheap/v3.md#strings", .since = "0.1"};
inline constexpr Rule toc_count{
    .id = "mvm3.toc.count", .severity = Severity::error, .stage = Stage::read,
    .title = "a table of contents has as many entries as it says",
    .reason = "A reader takes entries for other bytes, or misses some.",
    .anchor = "mvmheap/v3.md#toc", .since = "0.1"};
inline constexpr Rule toc_own_start{
    .id = "mvm3.toc.own-start", .severity = Severity::error, .stage = Stage::read,
    .title = "a table of contents closes with the offset of its first byte",
    .reason = "A reader finds the last table of contents by the last 8 bytes of the file.",
    .anchor = "mvmheap/v3.md#toc", .since = "0.1"};
inline constexpr std::array faults{&block_kind, &block_kind_padding, &block_order, &block_size, &block_unaccounted, &column_entry_size, &column_partial_entry, &file_trailing_bytes, &file_truncated, &filemeta_subversion, &meta_field, &meta_json, &meta_size, &meta_terminator, &strings_framing, &toc_count, &toc_own_start};
// clang-format on

}  // namespace heapcheck::mvmheap::v3::rules
