// The rules that reading a V8 sampling heap profile raises itself, beside those of JSON: members that
// are missing or of another type, and forms that only some writers use. Rules over what was read stand
// in validate/v8/heapprofile.
#pragma once

#include <array>

#include "heapcheck/finding.hpp"

namespace heapcheck::v8::heapprofile::rules {

// One line a member, however long.
// clang-format off
inline constexpr Rule file_bom{
    .id = "v8prof.file.byte-order-mark", .severity = Severity::note, .stage = Stage::read,
    .title = "a profile has no byte order mark",
    .reason = "JSON.parse refuses a text that begins with one; viewers mostly drop it.",
    .anchor = "v8/heapprofile.md#document", .since = "0.1"};
inline constexpr Rule file_head{
    .id = "v8prof.file.head", .severity = Severity::error, .stage = Stage::read,
    .title = "a profile has an object `head`",
    .reason = "Viewers take the tree from there; without it all of them fail.",
    .anchor = "v8/heapprofile.md#document", .since = "0.1"};
inline constexpr Rule file_unknown{
    .id = "v8prof.file.unknown-member", .severity = Severity::note, .stage = Stage::read,
    .title = "objects of a profile have the members that V8 writes",
    .reason = "Viewers pass over others, and they are lost when the file is written again.",
    .anchor = "v8/heapprofile.md#members", .since = "0.1"};
inline constexpr Rule frame_members{
    .id = "v8prof.frame.members", .severity = Severity::error, .stage = Stage::read,
    .title = "a call frame has strings `functionName` and `url`, and what else it has is of its type",
    .reason = "Viewers show undefined or fail: they call methods of strings on both.",
    .anchor = "v8/heapprofile.md#frames", .since = "0.1"};
inline constexpr Rule frame_position{
    .id = "v8prof.frame.position", .severity = Severity::note, .stage = Stage::read,
    .title = "a call frame has `scriptId`, `lineNumber` and `columnNumber`",
    .reason = "Profiles of native memory that DevTools saved lack them; functions of one name become one.",
    .anchor = "v8/heapprofile.md#frames", .since = "0.1"};
inline constexpr Rule frame_script_number{
    .id = "v8prof.frame.script-number", .severity = Severity::note, .stage = Stage::read,
    .title = "a `scriptId` is a string",
    .reason = "Node.js itself and xprofiler write numbers; a viewer that asks for \"0\" takes all for scripts.",
    .anchor = "v8/heapprofile.md#frames", .since = "0.1"};
inline constexpr Rule node_call_frame{
    .id = "v8prof.node.call-frame", .severity = Severity::error, .stage = Stage::read,
    .title = "a node has an object `callFrame`",
    .reason = "DevTools shows a function without a name, speedscope fails.",
    .anchor = "v8/heapprofile.md#nodes", .since = "0.1"};
inline constexpr Rule node_children{
    .id = "v8prof.node.children", .severity = Severity::error, .stage = Stage::read,
    .title = "a node has an array `children`, which may be empty",
    .reason = "DevTools and speedscope walk it without asking, and fail.",
    .anchor = "v8/heapprofile.md#nodes", .since = "0.1"};
inline constexpr Rule node_flat{
    .id = "v8prof.node.flat-frame", .severity = Severity::note, .stage = Stage::read,
    .title = "the members of a call frame stand in an object of their own",
    .reason = "Early versions of Chrome wrote them into the node; only DevTools reads that.",
    .anchor = "v8/heapprofile.md#frames", .since = "0.1"};
inline constexpr Rule node_id{
    .id = "v8prof.node.id", .severity = Severity::error, .stage = Stage::read,
    .title = "an `id` is an integer from 0 to 2^53 - 1",
    .reason = "Samples of the node are not found.",
    .anchor = "v8/heapprofile.md#nodes", .since = "0.1"};
inline constexpr Rule node_self_size{
    .id = "v8prof.node.self-size", .severity = Severity::error, .stage = Stage::read,
    .title = "a node has a `selfSize`, a number from 0 on",
    .reason = "Viewers add it up; without it all totals above it are no numbers.",
    .anchor = "v8/heapprofile.md#nodes", .since = "0.1"};
inline constexpr Rule node_type{
    .id = "v8prof.node.type", .severity = Severity::error, .stage = Stage::read,
    .title = "an element of `children` is an object",
    .reason = "Viewers fail on what is no node.",
    .anchor = "v8/heapprofile.md#nodes", .since = "0.1"};
inline constexpr Rule sample_members{
    .id = "v8prof.sample.members", .severity = Severity::error, .stage = Stage::read,
    .title = "a sample has `size`, `nodeId` and `ordinal`, integers from 0 on",
    .reason = "DevTools leaves it out, or gives it to no node.",
    .anchor = "v8/heapprofile.md#samples", .since = "0.1"};
inline constexpr Rule samples_type{
    .id = "v8prof.samples.type", .severity = Severity::error, .stage = Stage::read,
    .title = "`samples` is an array of objects",
    .reason = "Viewers that go by samples fail.",
    .anchor = "v8/heapprofile.md#samples", .since = "0.1"};
inline constexpr Rule size_fraction{
    .id = "v8prof.size.fraction", .severity = Severity::warning, .stage = Stage::read,
    .title = "sizes are whole bytes",
    .reason = "V8 counts bytes; the number was worked out by something else.",
    .anchor = "v8/heapprofile.md#nodes", .since = "0.1"};
inline constexpr std::array faults{&file_bom, &file_head, &file_unknown, &frame_members, &frame_position, &frame_script_number, &node_call_frame, &node_children, &node_flat, &node_id, &node_self_size, &node_type, &sample_members, &samples_type, &size_fraction};
// clang-format on

}  // namespace heapcheck::v8::heapprofile::rules
