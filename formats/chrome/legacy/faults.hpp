// The rules that reading legacy heap dumps can raise. Rules over what was read stand in
// validate/chrome/legacy.
#pragma once

#include <array>

#include "heapcheck/finding.hpp"

namespace heapcheck::chrome::legacy::rules {

// One line a member, however long.
// clang-format off
inline constexpr Rule entry_hex{
    .id = "legacy.entry.hex", .severity = Severity::error, .stage = Stage::read,
    .title = "a size or count has 1 to 16 hexadecimal digits and nothing else",
    .reason = "Catapult reads the digits before the first other character, or shows NaN.",
    .anchor = "chrome/legacy.md#entries", .since = "0.1"};
inline constexpr Rule entry_size{
    .id = "legacy.entry.size", .severity = Severity::error, .stage = Stage::read,
    .title = "an entry has a size",
    .reason = "Catapult shows NaN for it, without a warning.",
    .anchor = "chrome/legacy.md#entries", .since = "0.1"};
inline constexpr Rule frame_duplicate_id{
    .id = "legacy.frame.duplicate-id", .severity = Severity::error, .stage = Stage::check,
    .title = "the stack frames of a process have different ids",
    .reason = "Catapult stops importing.",
    .anchor = "chrome/legacy.md#frames", .since = "0.1"};
inline constexpr Rule frame_name{
    .id = "legacy.frame.name", .severity = Severity::error, .stage = Stage::read,
    .title = "a stack frame has a name",
    .reason = "Catapult stops importing at it.",
    .anchor = "chrome/legacy.md#frames", .since = "0.1"};
inline constexpr Rule frames_hierarchy{
    .id = "legacy.frames.hierarchy", .severity = Severity::note, .stage = Stage::read,
    .title = "stack frames are members with `name` and `parent`",
    .reason = "Nested stack frames with a table of names were a proposal that no release wrote; Catapult takes `hierarchy` and `names` for the ids of two frames.",
    .anchor = "chrome/legacy.md#hierarchy", .since = "0.1"};
inline constexpr Rule frames_hierarchy_name{
    .id = "legacy.frames.hierarchy-name", .severity = Severity::error, .stage = Stage::read,
    .title = "a key of the hierarchy is `bt` or a place in the table of names",
    .reason = "The frame has no name.",
    .anchor = "chrome/legacy.md#hierarchy", .since = "0.1"};
inline constexpr Rule id_number{
    .id = "legacy.id.number", .severity = Severity::warning, .stage = Stage::read,
    .title = "an id is a string",
    .reason = "Chrome writes strings; Catapult makes one of a number, others may not.",
    .anchor = "chrome/legacy.md#ids", .since = "0.1"};
inline constexpr Rule value_type{
    .id = "legacy.value.type", .severity = Severity::error, .stage = Stage::read,
    .title = "each value is of the JSON type that its place asks for",
    .reason = "Catapult skips the value, takes another one for it, or stops importing.",
    .anchor = "chrome/legacy.md#object", .since = "0.1"};
inline constexpr std::array faults{&entry_hex, &entry_size, &frame_duplicate_id, &frame_name, &frames_hierarchy, &frames_hierarchy_name, &id_number, &value_type};
// clang-format on

}  // namespace heapcheck::chrome::legacy::rules
