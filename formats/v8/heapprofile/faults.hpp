// The rules that are checked while reading a V8 sampling heap profile, in addition to the rules for JSON.
// They concern members that are missing or have the wrong type, and forms that only some writers use. The
// rules for the content are in validate/v8/heapprofile.
#pragma once

#include <array>

#include "heapcheck/types/finding.hpp"

namespace heapcheck::v8::heapprofile::rules {

// One line per member, however long.
// clang-format off
inline constexpr Rule file_bom{
    .id = "v8prof.file.byte-order-mark", .severity = Severity::note, .stage = Stage::read,
    .title = "a profile has no byte order mark",
    .reason = "Most viewers ignore the mark, but JSON.parse rejects the whole file.",
    .example = "the bytes ef bb bf before {\"head\":",
    .advice = "Remove the first three bytes, or run heapcheck convert with --to heapprofile. If you write such files, write UTF-8 without a byte order mark.",
    .anchor = "v8/heapprofile.md#document", .since = "0.1"};
inline constexpr Rule file_head{
    .id = "v8prof.file.head", .severity = Severity::error, .stage = Stage::read,
    .title = "a profile has a `head` member that is an object",
    .reason = "Viewers read the tree from `head`; without it, none of them can show the profile.",
    .example = "{\"samples\":[{\"size\":64,\"nodeId\":2,\"ordinal\":1}]}, which has no `head`",
    .advice = "Check that the file really is a sampling heap profile. If you write such files, put the root of the tree in `head`, even if nothing was sampled.",
    .anchor = "v8/heapprofile.md#document", .since = "0.1"};
inline constexpr Rule file_unknown{
    .id = "v8prof.file.unknown-member", .severity = Severity::note, .stage = Stage::read,
    .title = "a profile has only members that V8 writes",
    .reason = "Viewers skip other members, and heapcheck leaves them out when it writes the file again.",
    .example = "\"locationId\":7 in a node, as VS Code writes it",
    .advice = "Viewers can still show the profile. Keep the original if you need these members, because convert and recover leave them out.",
    .anchor = "v8/heapprofile.md#members", .since = "0.1"};
inline constexpr Rule frame_members{
    .id = "v8prof.frame.members", .severity = Severity::error, .stage = Stage::read,
    .title = "a call frame has the strings `functionName` and `url`, and its other members have the right types",
    .reason = "Viewers call string methods on `functionName` and `url`; without these strings, they fail or show `undefined`.",
    .example = "\"url\":null in a `callFrame`",
    .advice = "Run heapcheck recover to keep the nodes whose call frame is intact. If you write such files, write an empty string for a name or URL that is unknown.",
    .anchor = "v8/heapprofile.md#frames", .since = "0.1"};
inline constexpr Rule frame_position{
    .id = "v8prof.frame.position", .severity = Severity::note, .stage = Stage::read,
    .title = "a call frame has `scriptId`, `lineNumber` and `columnNumber`",
    .reason = "Without them, viewers merge different functions that have the same name. DevTools omitted them from profiles of native memory.",
    .example = "{\"functionName\":\"f\",\"url\":\"\"} as a `callFrame`",
    .advice = "There is nothing to repair in a profile of native memory. If you write such files, write \"0\" for an unknown script and -1 for an unknown line or column.",
    .anchor = "v8/heapprofile.md#frames", .since = "0.1"};
inline constexpr Rule frame_script_number{
    .id = "v8prof.frame.script-number", .severity = Severity::note, .stage = Stage::read,
    .title = "a `scriptId` is a string",
    .reason = "xprofiler writes numbers, and so does Node.js without the inspector; viewers that look for \"0\" then mistake parts of V8 for functions of scripts.",
    .example = "\"scriptId\":0 instead of \"scriptId\":\"0\"",
    .advice = "Run heapcheck convert with --to heapprofile to turn the numbers into strings. If you write such files, write script ids as strings.",
    .anchor = "v8/heapprofile.md#frames", .since = "0.1"};
inline constexpr Rule node_call_frame{
    .id = "v8prof.node.call-frame", .severity = Severity::error, .stage = Stage::read,
    .title = "a node has an object `callFrame`",
    .reason = "DevTools shows a function without a name, and speedscope fails.",
    .example = "{\"selfSize\":96,\"id\":2,\"children\":[]}, a node without `callFrame`",
    .advice = "Run heapcheck recover to keep the nodes that have a call frame. If you write such files, give every node a `callFrame`, with an empty name and URL if nothing is known.",
    .anchor = "v8/heapprofile.md#nodes", .since = "0.1"};
inline constexpr Rule node_children{
    .id = "v8prof.node.children", .severity = Severity::error, .stage = Stage::read,
    .title = "a node has an array `children`, which may be empty",
    .reason = "DevTools and speedscope walk the array without checking that it exists, and fail.",
    .example = "{\"callFrame\":{...},\"selfSize\":96,\"id\":2}, a leaf without \"children\":[]",
    .advice = "Run heapcheck recover, which gives every node an array. If you write such files, write \"children\":[] for a leaf.",
    .anchor = "v8/heapprofile.md#nodes", .since = "0.1"};
inline constexpr Rule node_flat{
    .id = "v8prof.node.flat-frame", .severity = Severity::note, .stage = Stage::read,
    .title = "the members of a call frame are in an object `callFrame`",
    .reason = "Early versions of Chrome wrote them directly into the node, a form that only DevTools still reads.",
    .example = "{\"functionName\":\"f\",\"url\":\"\",\"selfSize\":96,\"children\":[]} as a node",
    .advice = "Run heapcheck convert with --to heapprofile, which gives every node a `callFrame`.",
    .anchor = "v8/heapprofile.md#frames", .since = "0.1"};
inline constexpr Rule node_id{
    .id = "v8prof.node.id", .severity = Severity::error, .stage = Stage::read,
    .title = "an `id` is an integer from 0 to 2^53 - 1",
    .reason = "Samples refer to nodes by id; with any other id, viewers assign them to the wrong node or to none.",
    .example = "\"id\":-4",
    .advice = "Run heapcheck recover, which gives the node a new id. If you write such files, number the nodes from 1.",
    .anchor = "v8/heapprofile.md#nodes", .since = "0.1"};
inline constexpr Rule node_self_size{
    .id = "v8prof.node.self-size", .severity = Severity::error, .stage = Stage::read,
    .title = "a node has a `selfSize`, a number from 0 to 2^64 - 1",
    .reason = "Viewers add the sizes up; if one is missing, every total above it becomes `NaN`.",
    .example = "\"selfSize\":\"96\", a string instead of a number",
    .advice = "Run heapcheck recover to keep the nodes whose size is intact. If you write such files, write 0 for a node that allocated nothing itself.",
    .anchor = "v8/heapprofile.md#nodes", .since = "0.1"};
inline constexpr Rule node_type{
    .id = "v8prof.node.type", .severity = Severity::error, .stage = Stage::read,
    .title = "all elements of `children` are objects",
    .reason = "Viewers expect every element to be a node, and fail if one is not.",
    .example = "\"children\":[null]",
    .advice = "Run heapcheck recover, which leaves such elements out. If you write such files, write an empty array if a node has no children.",
    .anchor = "v8/heapprofile.md#nodes", .since = "0.1"};
inline constexpr Rule sample_members{
    .id = "v8prof.sample.members", .severity = Severity::error, .stage = Stage::read,
    .title = "a sample has the numbers `size`, `nodeId` and `ordinal`, none of them negative",
    .reason = "DevTools leaves the sample out or assigns it to no node.",
    .example = "{\"size\":64,\"nodeId\":2}, a sample without `ordinal`",
    .advice = "Run heapcheck recover, which leaves such samples out. If you write such files, write all three members, and write `nodeId` and `ordinal` as integers.",
    .anchor = "v8/heapprofile.md#samples", .since = "0.1"};
inline constexpr Rule samples_type{
    .id = "v8prof.samples.type", .severity = Severity::error, .stage = Stage::read,
    .title = "`samples` is an array of objects",
    .reason = "Viewers that use the samples fail.",
    .example = "\"samples\":{} instead of \"samples\":[]",
    .advice = "Run heapcheck recover to keep the tree and the intact samples. If you write such files, write an empty array if there are no samples.",
    .anchor = "v8/heapprofile.md#samples", .since = "0.1"};
inline constexpr Rule size_fraction{
    .id = "v8prof.size.fraction", .severity = Severity::warning, .stage = Stage::read,
    .title = "sizes are whole numbers of bytes",
    .reason = "V8 counts whole bytes, so a fraction comes from a different program.",
    .example = "\"selfSize\":96.5",
    .advice = "Run heapcheck convert with --to heapprofile, which drops the fractions. If you write such files, round sizes to whole bytes.",
    .anchor = "v8/heapprofile.md#nodes", .since = "0.1"};
inline constexpr std::array faults{&file_bom, &file_head, &file_unknown, &frame_members, &frame_position, &frame_script_number, &node_call_frame, &node_children, &node_flat, &node_id, &node_self_size, &node_type, &sample_members, &samples_type, &size_fraction};
// clang-format on

}  // namespace heapcheck::v8::heapprofile::rules
