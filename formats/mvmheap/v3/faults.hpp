// The rules that the version 3 reader raises itself: places where the bytes do not follow the
// grammar. Rules over what was read stand in validate/mvmheap/v3.
#pragma once

#include "heapcheck/finding.hpp"

namespace heapcheck::mvmheap::v3::rules {

inline constexpr Rule file_truncated{"mvm3.file.truncated",
                                     Severity::error,
                                     Stage::read,
                                     "the file goes on to its last outer table of contents",
                                     "The writing process died or the copy was cut. Snapshots before the cut "
                                     "can still be read from the front.",
                                     "mvmheap/v3.md#file",
                                     "0.1"};
inline constexpr Rule file_trailing_bytes{
    "mvm3.file.trailing-bytes",
    Severity::error,
    Stage::read,
    "nothing follows the last outer table of contents",
    "A reader takes the last 8 bytes of the file for the place of the table of contents.",
    "mvmheap/v3.md#file",
    "0.1"};
inline constexpr Rule block_kind{"mvm3.block.kind",
                                 Severity::error,
                                 Stage::read,
                                 "a block's kind is known and fits its content",
                                 "A reader that meets an unknown kind cannot tell where the block ends.",
                                 "mvmheap/v3.md#blocks",
                                 "0.1"};
inline constexpr Rule block_kind_padding{
    "mvm3.block.kind-padding",
    Severity::note,
    Stage::read,
    "a block's kind is padded with NUL",
    "MoarVM 2020.05 to 2020.12 copied the byte behind a short kind's NUL into the file.",
    "mvmheap/v3.md#quirks",
    "0.1"};
inline constexpr Rule block_order{"mvm3.block.order",
                                  Severity::error,
                                  Stage::read,
                                  "blocks come in the order of the format, each kind once a snapshot",
                                  "Columns would be missing, or taken for those of another snapshot.",
                                  "mvmheap/v3.md#order",
                                  "0.1"};
inline constexpr Rule block_unaccounted{"mvm3.block.unaccounted",
                                        Severity::error,
                                        Stage::read,
                                        "every byte belongs to a block",
                                        "A reader that goes from block to block stops here.",
                                        "mvmheap/v3.md#order",
                                        "0.1"};
inline constexpr Rule block_size{"mvm3.block.size",
                                 Severity::error,
                                 Stage::read,
                                 "a size that is not 0 is the size of the compressed content",
                                 "A reader that trusts the size looks for the next block in the wrong place.",
                                 "mvmheap/v3.md#columns",
                                 "0.1"};
inline constexpr Rule column_entry_size{"mvm3.column.entry-size",
                                        Severity::error,
                                        Stage::read,
                                        "a column's entries have 2, 4 or 8 bytes",
                                        "A reader cannot tell where one value ends and the next begins.",
                                        "mvmheap/v3.md#columns",
                                        "0.1"};
inline constexpr Rule column_partial_entry{
    "mvm3.column.partial-entry",
    Severity::error,
    Stage::read,
    "a column holds whole entries",
    "The entry size or the content is wrong, so all values of the column are in doubt.",
    "mvmheap/v3.md#columns",
    "0.1"};
inline constexpr Rule strings_framing{
    "mvm3.strings.framing",
    Severity::error,
    Stage::read,
    "the lengths of a string heap add up to its content",
    "All strings behind a wrong length are read at wrong places, and every name with them.",
    "mvmheap/v3.md#strings",
    "0.1"};
inline constexpr Rule meta_size{"mvm3.meta.size",
                                Severity::error,
                                Stage::read,
                                "the size of a meta block counts its JSON and the closing NUL",
                                "A reader looks for the next block in the wrong place.",
                                "mvmheap/v3.md#metas",
                                "0.1"};
inline constexpr Rule meta_terminator{"mvm3.meta.terminator",
                                      Severity::error,
                                      Stage::read,
                                      "the last byte of a meta block is a NUL",
                                      "Readers in C take the JSON for a terminated string.",
                                      "mvmheap/v3.md#metas",
                                      "0.1"};
inline constexpr Rule meta_json{"mvm3.meta.json",
                                Severity::error,
                                Stage::read,
                                "a meta block holds one JSON object",
                                "A reader cannot learn what the block says.",
                                "mvmheap/v3.md#metas",
                                "0.1"};
inline constexpr Rule meta_field{"mvm3.meta.field",
                                 Severity::error,
                                 Stage::read,
                                 "a meta block has its fields, once each, with values of their type",
                                 "A reader shows nothing, or a wrong number.",
                                 "mvmheap/v3.md#metas",
                                 "0.1"};
inline constexpr Rule filemeta_subversion{
    "mvm3.filemeta.subversion",
    Severity::error,
    Stage::read,
    "the subversion is 1",
    "Another subversion may hold other blocks; a reader of subversion 1 must not guess.",
    "mvmheap/v3.md#filemeta",
    "0.1"};
inline constexpr Rule toc_count{"mvm3.toc.count",
                                Severity::error,
                                Stage::read,
                                "a table of contents has as many entries as it says",
                                "A reader takes entries for other bytes, or misses some.",
                                "mvmheap/v3.md#toc",
                                "0.1"};
inline constexpr Rule toc_own_start{
    "mvm3.toc.own-start",
    Severity::error,
    Stage::read,
    "a table of contents closes with the offset of its first byte",
    "A reader finds the last table of contents by the last 8 bytes of the file.",
    "mvmheap/v3.md#toc",
    "0.1"};

}  // namespace heapcheck::mvmheap::v3::rules
