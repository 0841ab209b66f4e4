// The rules that the version 2 reader raises itself: places where the bytes do not follow the
// grammar. Rules over what was read stand in validate/mvmheap/v2.
#pragma once

#include <array>

#include "heapcheck/finding.hpp"

namespace heapcheck::mvmheap::v2::rules {

// One line a member, however long.
// clang-format off
inline constexpr Rule file_trailing_bytes{
    .id = "mvm2.file.trailing-bytes", .severity = Severity::error, .stage = Stage::read,
    .title = "nothing follows the index",
    .reason = "A reader takes the last 32 bytes of the file for the trailer.",
    .anchor = "mvmheap/v2.md#file", .since = "0.1"};
inline constexpr Rule file_truncated{
    .id = "mvm2.file.truncated", .severity = Severity::error, .stage = Stage::read,
    .title = "the file goes on to the end of its index",
    .reason = "The writing process died or the copy was cut. Snapshots before the cut can still be read from the front.",
    .anchor = "mvmheap/v2.md#file", .since = "0.1"};
inline constexpr Rule file_unfinished{
    .id = "mvm2.file.unfinished", .severity = Severity::error, .stage = Stage::read,
    .title = "an index follows the last snapshot",
    .reason = "The process ended before it wrote the index, by which readers find the snapshots. What it wrote can still be read from the front.",
    .anchor = "mvmheap/v2.md#file", .since = "0.1"};
inline constexpr Rule refs_kind{
    .id = "mvm2.refs.kind", .severity = Severity::error, .stage = Stage::read,
    .title = "the kind of a reference has 2 bits and its index 62",
    .reason = "The writer packs both into 64 bits, so the reference cannot have been written like this.",
    .anchor = "mvmheap/v2.md#references", .since = "0.1"};
inline constexpr Rule refs_width{
    .id = "mvm2.refs.width", .severity = Severity::error, .stage = Stage::read,
    .title = "a reference starts with its width: '0', '1', '3' or '6'",
    .reason = "A reader cannot tell where the reference ends, and all behind it are lost.",
    .anchor = "mvmheap/v2.md#references", .since = "0.1"};
inline constexpr Rule section_count{
    .id = "mvm2.section.count", .severity = Severity::error, .stage = Stage::read,
    .title = "a section holds as many entries as its head says",
    .reason = "A reader takes other bytes for entries, or misses some.",
    .anchor = "mvmheap/v2.md#sections", .since = "0.1"};
inline constexpr Rule section_entry_size{
    .id = "mvm2.section.entry-size", .severity = Severity::error, .stage = Stage::read,
    .title = "a section has the entry size of its kind",
    .reason = "A reader cannot tell where one entry ends and the next begins.",
    .anchor = "mvmheap/v2.md#sections", .since = "0.1"};
inline constexpr Rule section_framing{
    .id = "mvm2.section.framing", .severity = Severity::error, .stage = Stage::read,
    .title = "the next section starts where the entries of one end",
    .reason = "Bytes are missing or too many, so what follows is read at wrong places.",
    .anchor = "mvmheap/v2.md#sections", .since = "0.1"};
inline constexpr Rule section_order{
    .id = "mvm2.section.order", .severity = Severity::error, .stage = Stage::read,
    .title = "sections come in the order of the format",
    .reason = "Tables would be missing, or taken for those of another snapshot.",
    .anchor = "mvmheap/v2.md#order", .since = "0.1"};
inline constexpr Rule section_tag{
    .id = "mvm2.section.tag", .severity = Severity::error, .stage = Stage::read,
    .title = "a section starts with its tag",
    .reason = "A reader that meets an unknown tag takes the index for wrong.",
    .anchor = "mvmheap/v2.md#sections", .since = "0.1"};
inline constexpr Rule section_unaccounted{
    .id = "mvm2.section.unaccounted", .severity = Severity::error, .stage = Stage::read,
    .title = "every byte belongs to a section or to the index",
    .reason = "A reader that goes from section to section stops here.",
    .anchor = "mvmheap/v2.md#order", .since = "0.1"};
inline constexpr Rule strings_length{
    .id = "mvm2.strings.length", .severity = Severity::error, .stage = Stage::read,
    .title = "the length before a string leads to the next one",
    .reason = "All strings behind a wrong length are read at wrong places.",
    .anchor = "mvmheap/v2.md#strings", .since = "0.1"};
inline constexpr std::array faults{&file_trailing_bytes, &file_truncated, &file_unfinished, &refs_kind, &refs_width, &section_count, &section_entry_size, &section_framing, &section_order, &section_tag, &section_unaccounted, &strings_length};
// clang-format on

}  // namespace heapcheck::mvmheap::v2::rules
