// The rules that walking a trace can raise, whichever heap format it holds.
#pragma once

#include <array>

#include "heapcheck/finding.hpp"

namespace heapcheck::chrome::rules {

// One line a member, however long.
// clang-format off
inline constexpr Rule dumps_json_string{
    .id = "trace.dumps.json-string", .severity = Severity::note, .stage = Stage::read,
    .title = "`args.dumps` is an object, not a string that holds JSON",
    .reason = "Some tools export it as a string; readers that do not parse it find no dump.",
    .anchor = "chrome/trace.md#dumps", .since = "0.1"};
inline constexpr Rule dumps_type{
    .id = "trace.dumps.type", .severity = Severity::error, .stage = Stage::read,
    .title = "`args.dumps` of a memory dump is an object",
    .reason = "Catapult skips the event, and with it what the process held.",
    .anchor = "chrome/trace.md#dumps", .since = "0.1"};
inline constexpr Rule event_id{
    .id = "trace.event.id", .severity = Severity::error, .stage = Stage::read,
    .title = "a memory dump has the id of the dump it belongs to",
    .reason = "Catapult cannot tell which dump the event is part of, and leaves it out.",
    .anchor = "chrome/trace.md#events", .since = "0.1"};
inline constexpr Rule event_phase{
    .id = "trace.event.phase", .severity = Severity::warning, .stage = Stage::read,
    .title = "heaps stand in events of phase `v`",
    .reason = "Readers pass over heaps in other events, without a word.",
    .anchor = "chrome/trace.md#events", .since = "0.1"};
inline constexpr Rule event_pid{
    .id = "trace.event.pid", .severity = Severity::error, .stage = Stage::read,
    .title = "an event that carries heaps or their names has an integer process id",
    .reason = "Readers cannot tell which process it is about.",
    .anchor = "chrome/trace.md#events", .since = "0.1"};
inline constexpr Rule event_type{
    .id = "trace.event.type", .severity = Severity::error, .stage = Stage::read,
    .title = "an event is an object",
    .reason = "Catapult stops importing at it.",
    .anchor = "chrome/trace.md#events", .since = "0.1"};
inline constexpr Rule events_missing{
    .id = "trace.events.missing", .severity = Severity::error, .stage = Stage::read,
    .title = "a trace object has an array `traceEvents`",
    .reason = "There is nothing to import.",
    .anchor = "chrome/trace.md#container", .since = "0.1"};
inline constexpr Rule events_unclosed{
    .id = "trace.events.unclosed", .severity = Severity::note, .stage = Stage::read,
    .title = "an array of events ends in a bracket",
    .reason = "Interrupted traces lack it, and may end in a comma; Catapult mends both, JSON.parse refuses the file.",
    .anchor = "chrome/trace.md#unclosed", .since = "0.1"};
inline constexpr Rule file_bom{
    .id = "trace.file.byte-order-mark", .severity = Severity::note, .stage = Stage::read,
    .title = "a trace has no byte order mark",
    .reason = "Catapult takes it away; JSON.parse refuses a text that begins with one.",
    .anchor = "chrome/trace.md#container", .since = "0.1"};
inline constexpr std::array faults{&dumps_json_string, &dumps_type, &event_id, &event_phase, &event_pid, &event_type, &events_missing, &events_unclosed, &file_bom};
// clang-format on

}  // namespace heapcheck::chrome::rules
