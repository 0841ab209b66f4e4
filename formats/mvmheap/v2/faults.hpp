// The rules that the version 2 reader itself checks. They concern bytes that violate the grammar. The rules
// for the content are in validate/mvmheap/v2.
#pragma once

#include <array>

#include "heapcheck/types/finding.hpp"

namespace heapcheck::mvmheap::v2::rules {

// One line per member, however long.
// clang-format off
inline constexpr Rule file_trailing_bytes{
    .id = "mvm2.file.trailing-bytes", .severity = Severity::error, .stage = Stage::read,
    .title = "nothing follows the index",
    .reason = "A reader assumes that the last 32 bytes of the file are the trailer.",
    .example = "a line feed after the last byte of the trailer",
    .advice = "heapcheck recover writes the file without the extra bytes. If you write such files, make sure that nothing is appended after the index.",
    .anchor = "mvmheap/v2.md#file", .since = "0.1"};
inline constexpr Rule file_truncated{
    .id = "mvm2.file.truncated", .severity = Severity::error, .stage = Stage::read,
    .title = "the file is complete to the end of its index",
    .reason = "The writing process died or the copy was cut short. Snapshots before the end can still be read from the front.",
    .example = "the file ends 40 bytes after a `refs` tag whose head announces 1736 references",
    .advice = "Run heapcheck recover to keep the complete snapshots. In layout B, the names are lost with the end of the file; recover keeps the graphs with placeholders. In layouts A and C, add --placeholder-names to keep the last snapshot even if its rows are lost.",
    .anchor = "mvmheap/v2.md#file", .since = "0.1"};
inline constexpr Rule file_unfinished{
    .id = "mvm2.file.unfinished", .severity = Severity::error, .stage = Stage::read,
    .title = "an index follows the last snapshot",
    .reason = "The process ended before it wrote the index that readers use to find the snapshots. The snapshots before the end can still be read from the front.",
    .example = "the file ends after the references of a snapshot, with no `strs` section and no index",
    .advice = "Run heapcheck recover to keep all snapshots and write an index. In layout B, the names are lost with the end of the file; recover keeps the graphs with placeholders. In layouts A and C, add --placeholder-names to keep the last snapshot even if its rows are lost.",
    .anchor = "mvmheap/v2.md#file", .since = "0.1"};
inline constexpr Rule refs_kind{
    .id = "mvm2.refs.kind", .severity = Severity::error, .stage = Stage::read,
    .title = "the kind of a reference fits in 2 bits and its index in 62",
    .reason = "The writer packs both into 64 bits, so it cannot have written this reference.",
    .example = "`36 01` and the index 0000000000000040: the index 2^62 needs 63 bits",
    .advice = "Run heapcheck recover to keep the complete snapshots. If you write such files, use kinds 0, 1 and 2, and indices below 2^62.",
    .anchor = "mvmheap/v2.md#references", .since = "0.1"};
inline constexpr Rule refs_width{
    .id = "mvm2.refs.width", .severity = Severity::error, .stage = Stage::read,
    .title = "a reference starts with its width: '0', '1', '3' or '6'",
    .reason = "A reader cannot tell where the reference ends, and all references after it are lost.",
    .example = "`32 02 00 01`: the width byte 32, an ASCII 2, does not exist",
    .advice = "Run heapcheck recover to keep the complete snapshots. If you write such files, begin each reference with the ASCII digit of the width of its index and target.",
    .anchor = "mvmheap/v2.md#references", .since = "0.1"};
inline constexpr Rule section_count{
    .id = "mvm2.section.count", .severity = Severity::error, .stage = Stage::read,
    .title = "a section contains the number of entries that its head states",
    .reason = "A reader mistakes other bytes for entries, or misses some.",
    .example = "a `coll` section with a count of 8 that contains 7 collectables",
    .advice = "heapcheck recover keeps the existing entries and writes the correct count. If you write such files, write the count once all entries are known.",
    .anchor = "mvmheap/v2.md#sections", .since = "0.1"};
inline constexpr Rule section_entry_size{
    .id = "mvm2.section.entry-size", .severity = Severity::error, .stage = Stage::read,
    .title = "a section has the entry size of its kind",
    .reason = "A reader cannot tell where one entry ends and the next begins.",
    .example = "a `coll` section with an entry size of 24 instead of 28",
    .advice = "heapcheck recover writes the correct entry size. If you write such files, use 28 for coll, 17 for refs, 16 for type and 32 for fram.",
    .anchor = "mvmheap/v2.md#sections", .since = "0.1"};
inline constexpr Rule section_framing{
    .id = "mvm2.section.framing", .severity = Severity::error, .stage = Stage::read,
    .title = "a section ends where the next one starts",
    .reason = "There are too few or too many bytes, so a reader looks for everything after them in the wrong place.",
    .example = "a `type` section of 2 rows with 33 bytes of entries instead of 32",
    .advice = "Run heapcheck recover to keep the complete snapshots. If you write such files, write whole entries only, and no padding between sections.",
    .anchor = "mvmheap/v2.md#sections", .since = "0.1"};
inline constexpr Rule section_order{
    .id = "mvm2.section.order", .severity = Severity::error, .stage = Stage::read,
    .title = "sections come in the order that the format requires",
    .reason = "A reader misses tables, or assigns them to a different snapshot.",
    .example = "a `refs` section directly after the magic, where `coll` belongs",
    .advice = "Run heapcheck recover to keep the complete snapshots. If you write such files, write coll and refs for each snapshot, and strs, type and fram together wherever they occur.",
    .anchor = "mvmheap/v2.md#order", .since = "0.1"};
inline constexpr Rule section_tag{
    .id = "mvm2.section.tag", .severity = Severity::error, .stage = Stage::read,
    .title = "every section starts with its tag",
    .reason = "A reader that meets an unknown tag assumes that the index is wrong.",
    .example = "the bytes `refx` where a section with the tag `refs` starts",
    .advice = "heapcheck recover recognises the section by its entry size, or by its strings, and writes the correct tag.",
    .anchor = "mvmheap/v2.md#sections", .since = "0.1"};
inline constexpr Rule section_unaccounted{
    .id = "mvm2.section.unaccounted", .severity = Severity::error, .stage = Stage::read,
    .title = "every byte belongs to a section or to the index",
    .reason = "A reader that goes from section to section stops here.",
    .example = "four zero bytes between the last reference and the tag `strs`",
    .advice = "Run heapcheck recover to keep the complete snapshots. If you write such files, write sections without gaps.",
    .anchor = "mvmheap/v2.md#order", .since = "0.1"};
inline constexpr Rule strings_length{
    .id = "mvm2.strings.length", .severity = Severity::error, .stage = Stage::read,
    .title = "the length of each string leads to the start of the next string or section",
    .reason = "After a wrong length, a reader looks for every string in the wrong place.",
    .example = "the length 7 before `collections`, a name of 11 bytes",
    .advice = "heapcheck recover repairs a length if the next string shows where the name ends. If you write such files, write the length in bytes, not in characters.",
    .anchor = "mvmheap/v2.md#strings", .since = "0.1"};
inline constexpr std::array faults{&file_trailing_bytes, &file_truncated, &file_unfinished, &refs_kind, &refs_width, &section_count, &section_entry_size, &section_framing, &section_order, &section_tag, &section_unaccounted, &strings_length};
// clang-format on

}  // namespace heapcheck::mvmheap::v2::rules
