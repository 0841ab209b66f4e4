// The rules that are checked while reading legacy heap dumps. The rules for the model that was read are in
// validate/chrome/legacy.
#pragma once

#include <array>

#include "heapcheck/types/finding.hpp"

namespace heapcheck::chrome::legacy::rules {

// One line per member, however long.
// clang-format off
inline constexpr Rule entry_hex{
    .id = "legacy.entry.hex", .severity = Severity::error, .stage = Stage::read,
    .title = "a size or count has 1 to 16 hexadecimal digits and nothing else",
    .reason = "Chrome's trace viewer (Catapult) reads only the digits before the first other character, or shows NaN.",
    .example = "{\"size\":\"d3g\",\"bt\":\"\"} has a g, which is not a hexadecimal digit",
    .advice = "The true value is lost, so record the trace again. If you write such files, write plain digits without a prefix such as 0x.",
    .anchor = "chrome/legacy.md#entries", .since = "0.1"};
inline constexpr Rule entry_size{
    .id = "legacy.entry.size", .severity = Severity::error, .stage = Stage::read,
    .title = "an entry has a size",
    .reason = "Chrome's trace viewer (Catapult) shows NaN for it, without a warning.",
    .example = "{\"count\":\"9\",\"bt\":\"0\"} has no \"size\"",
    .advice = "Remove the entry, or add its size if you know it. If you write such files, write a size into every entry, even if it is 0.",
    .anchor = "chrome/legacy.md#entries", .since = "0.1"};
inline constexpr Rule frame_duplicate_id{
    .id = "legacy.frame.duplicate-id", .severity = Severity::error, .stage = Stage::check,
    .title = "the stack frames of a process have different ids",
    .reason = "Chrome's trace viewer (Catapult) stops importing the trace.",
    .example = "two \"stackFrames\" events of process 7, each with a frame \"0\"",
    .advice = "Remove the second event if it repeats the first. If you write such files, or merge traces, renumber frames that come from different sources.",
    .anchor = "chrome/legacy.md#frames", .since = "0.1"};
inline constexpr Rule frame_name{
    .id = "legacy.frame.name", .severity = Severity::error, .stage = Stage::read,
    .title = "a stack frame has a name",
    .reason = "Chrome's trace viewer (Catapult) stops importing the trace at this frame.",
    .example = "\"stackFrames\":{\"0\":{\"parent\":\"1\"}}",
    .advice = "Add a name, which may be empty, to be able to open the trace. If you write such files, write a name for every frame.",
    .anchor = "chrome/legacy.md#frames", .since = "0.1"};
inline constexpr Rule frames_hierarchy{
    .id = "legacy.frames.hierarchy", .severity = Severity::note, .stage = Stage::read,
    .title = "stack frames are members with `name` and `parent`",
    .reason = "Nested stack frames with a table of names were proposed, but no release wrote them. Chrome's trace viewer (Catapult) mistakes `hierarchy` and `names` for the ids of two frames.",
    .example = "\"stackFrames\":{\"hierarchy\":{\"0\":{\"bt\":\"1\"}},\"names\":[\"main\"]}",
    .advice = "Run heapcheck convert --to chrome-legacy to write the usual form. If you write such files, write one member for each frame.",
    .anchor = "chrome/legacy.md#hierarchy", .since = "0.1"};
inline constexpr Rule frames_hierarchy_name{
    .id = "legacy.frames.hierarchy-name", .severity = Severity::error, .stage = Stage::read,
    .title = "a key in the hierarchy is `bt` or an index into the table of names",
    .reason = "Without a valid index, the frame has no name.",
    .example = "\"hierarchy\":{\"5\":{\"bt\":\"1\"}} with a table of three names",
    .advice = "Add the missing name if you know it. If you write such files, write the table of names after adding the last frame.",
    .anchor = "chrome/legacy.md#hierarchy", .since = "0.1"};
inline constexpr Rule id_number{
    .id = "legacy.id.number", .severity = Severity::warning, .stage = Stage::read,
    .title = "an id is a string",
    .reason = "Chrome writes strings. Chrome's trace viewer (Catapult) converts a number to a string, but other readers may not.",
    .example = "{\"size\":\"10\",\"bt\":4} has the number 4 where the string \"4\" belongs",
    .advice = "Run heapcheck convert --to chrome-legacy to write strings. If you write such files, put ids in quotes.",
    .anchor = "chrome/legacy.md#ids", .since = "0.1"};
inline constexpr Rule value_type{
    .id = "legacy.value.type", .severity = Severity::error, .stage = Stage::read,
    .title = "each value has the JSON type that the specification states for it",
    .reason = "Chrome's trace viewer (Catapult) skips the value, misreads it, or stops importing the trace.",
    .example = "{\"size\":602,\"bt\":\"\"} has a number where a string of hexadecimal digits belongs",
    .advice = "Change the value by hand if its meaning is clear. If you write such files, compare your writer with the tables of members in the specification.",
    .anchor = "chrome/legacy.md#object", .since = "0.1"};
inline constexpr std::array faults{&entry_hex, &entry_size, &frame_duplicate_id, &frame_name, &frames_hierarchy, &frames_hierarchy_name, &id_number, &value_type};
// clang-format on

}  // namespace heapcheck::chrome::legacy::rules
