// The rules that reading a V8 sampling heap profile raises itself, beside those of JSON: members that
// are missing or of another type, and forms that only some writers use. Rules over what was read stand
// in validate/v8/heapprofile.
#pragma once

#include "heapcheck/finding.hpp"

namespace heapcheck::v8::heapprofile::rules {

inline constexpr Rule file_bom{"v8prof.file.byte-order-mark",
                               Severity::note,
                               Stage::read,
                               "a profile has no byte order mark",
                               "JSON.parse refuses a text that begins with one; viewers mostly drop it.",
                               "v8/heapprofile.md#document",
                               "0.1"};
inline constexpr Rule file_head{"v8prof.file.head",
                                Severity::error,
                                Stage::read,
                                "a profile has an object `head`",
                                "Viewers take the tree from there; without it all of them fail.",
                                "v8/heapprofile.md#document",
                                "0.1"};
inline constexpr Rule file_unknown{
    "v8prof.file.unknown-member",
    Severity::note,
    Stage::read,
    "objects of a profile have the members that V8 writes",
    "Viewers pass over others, and they are lost when the file is written again.",
    "v8/heapprofile.md#members",
    "0.1"};
inline constexpr Rule frame_members{
    "v8prof.frame.members",
    Severity::error,
    Stage::read,
    "a call frame has strings `functionName` and `url`, and what else it has is of its type",
    "Viewers show undefined or fail: they call methods of strings on both.",
    "v8/heapprofile.md#frames",
    "0.1"};
inline constexpr Rule frame_position{
    "v8prof.frame.position",
    Severity::note,
    Stage::read,
    "a call frame has `scriptId`, `lineNumber` and `columnNumber`",
    "Profiles of native memory that DevTools saved lack them; functions of one name become one.",
    "v8/heapprofile.md#frames",
    "0.1"};
inline constexpr Rule frame_script_number{
    "v8prof.frame.script-number",
    Severity::note,
    Stage::read,
    "a `scriptId` is a string",
    "Node.js itself and xprofiler write numbers; a viewer that asks for \"0\" takes all for scripts.",
    "v8/heapprofile.md#frames",
    "0.1"};
inline constexpr Rule node_call_frame{"v8prof.node.call-frame",
                                      Severity::error,
                                      Stage::read,
                                      "a node has an object `callFrame`",
                                      "DevTools shows a function without a name, speedscope fails.",
                                      "v8/heapprofile.md#nodes",
                                      "0.1"};
inline constexpr Rule node_children{"v8prof.node.children",
                                    Severity::error,
                                    Stage::read,
                                    "a node has an array `children`, which may be empty",
                                    "DevTools and speedscope walk it without asking, and fail.",
                                    "v8/heapprofile.md#nodes",
                                    "0.1"};
inline constexpr Rule node_flat{
    "v8prof.node.flat-frame",
    Severity::note,
    Stage::read,
    "the members of a call frame stand in an object of their own",
    "Early versions of Chrome wrote them into the node; only DevTools reads that.",
    "v8/heapprofile.md#frames",
    "0.1"};
inline constexpr Rule node_id{"v8prof.node.id",
                              Severity::error,
                              Stage::read,
                              "an `id` is an integer from 0 to 2^53 - 1",
                              "Samples of the node are not found.",
                              "v8/heapprofile.md#nodes",
                              "0.1"};
inline constexpr Rule node_self_size{"v8prof.node.self-size",
                                     Severity::error,
                                     Stage::read,
                                     "a node has a `selfSize`, a number from 0 on",
                                     "Viewers add it up; without it all totals above it are no numbers.",
                                     "v8/heapprofile.md#nodes",
                                     "0.1"};
inline constexpr Rule node_type{"v8prof.node.type",
                                Severity::error,
                                Stage::read,
                                "an element of `children` is an object",
                                "Viewers fail on what is no node.",
                                "v8/heapprofile.md#nodes",
                                "0.1"};
inline constexpr Rule sample_members{"v8prof.sample.members",
                                     Severity::error,
                                     Stage::read,
                                     "a sample has `size`, `nodeId` and `ordinal`, integers from 0 on",
                                     "DevTools leaves it out, or gives it to no node.",
                                     "v8/heapprofile.md#samples",
                                     "0.1"};
inline constexpr Rule samples_type{"v8prof.samples.type",
                                   Severity::error,
                                   Stage::read,
                                   "`samples` is an array of objects",
                                   "Viewers that go by samples fail.",
                                   "v8/heapprofile.md#samples",
                                   "0.1"};
inline constexpr Rule size_fraction{"v8prof.size.fraction",
                                    Severity::warning,
                                    Stage::read,
                                    "sizes are whole bytes",
                                    "V8 counts bytes; the number was worked out by something else.",
                                    "v8/heapprofile.md#nodes",
                                    "0.1"};

}  // namespace heapcheck::v8::heapprofile::rules
