// The rules that are checked while walking a trace, independently of the format of its heap dumps.
#pragma once

#include <array>

#include "heapcheck/types/finding.hpp"

namespace heapcheck::chrome::rules {

// One line per member, however long.
// clang-format off
inline constexpr Rule dumps_json_string{
    .id = "trace.dumps.json-string", .severity = Severity::note, .stage = Stage::read,
    .title = "`args.dumps` is an object rather than a string of JSON",
    .reason = "Some tools export it as a string. Readers that do not parse that string find no dump in the event.",
    .example = "\"args\":{\"dumps\":\"{\\\"heaps_v2\\\":{\\\"version\\\":1}}\"} has a string where readers look for an object",
    .advice = "Run heapcheck convert --to heaps-v2 (or chrome-legacy) without --keep-trace, which writes the dump as an object. If you write such files, do not encode the object a second time.",
    .anchor = "chrome/trace.md#dumps", .since = "0.1"};
inline constexpr Rule dumps_type{
    .id = "trace.dumps.type", .severity = Severity::error, .stage = Stage::read,
    .title = "`args.dumps` of a memory dump is an object",
    .reason = "Chrome's trace viewer (Catapult) skips the event and all heap dumps in it.",
    .example = "\"ph\":\"v\",\"args\":{\"dumps\":5} has a number where the dump belongs",
    .advice = "Nothing in this dump can be read; record the trace again. If you write such files, write an object, even if it is empty.",
    .anchor = "chrome/trace.md#dumps", .since = "0.1"};
inline constexpr Rule event_id{
    .id = "trace.event.id", .severity = Severity::error, .stage = Stage::read,
    .title = "an event with heaps has the id of the memory dump to which it belongs",
    .reason = "Chrome's trace viewer (Catapult) cannot tell which dump the event is part of and leaves it out.",
    .example = "{\"ph\":\"v\",\"pid\":7,\"args\":{\"dumps\":{\"heaps_v2\":{\"version\":1}}}} has no \"id\"",
    .advice = "Add an \"id\" to the event if you know which dump it belongs to. If you write such files, give all events of one dump the same id, as a string.",
    .anchor = "chrome/trace.md#events", .since = "0.1"};
inline constexpr Rule event_phase{
    .id = "trace.event.phase", .severity = Severity::warning, .stage = Stage::read,
    .title = "heaps are in events of phase `v`",
    .reason = "Readers skip heaps in other events without a warning.",
    .example = "{\"ph\":\"w\",\"pid\":7,\"id\":\"0x1\",\"args\":{\"dumps\":{\"heaps_v2\":{\"version\":1}}}} has phase w",
    .advice = "Change the phase of the event to \"v\" if it is a memory dump. If you write such files, write heaps only into events of this phase.",
    .anchor = "chrome/trace.md#events", .since = "0.1"};
inline constexpr Rule event_pid{
    .id = "trace.event.pid", .severity = Severity::error, .stage = Stage::read,
    .title = "an event with heap dumps or names has an integer process id",
    .reason = "Readers cannot tell which process the event describes.",
    .example = "{\"ph\":\"v\",\"pid\":\"7\",\"id\":\"0x1\",\"args\":{\"dumps\":{\"heaps_v2\":{\"version\":1}}}} has a string as its process id",
    .advice = "Add the process id if you know it. If you write such files, write \"pid\" as an integer in every event.",
    .anchor = "chrome/trace.md#events", .since = "0.1"};
inline constexpr Rule event_type{
    .id = "trace.event.type", .severity = Severity::error, .stage = Stage::read,
    .title = "an event is an object",
    .reason = "Chrome's trace viewer (Catapult) stops importing the trace at this event.",
    .example = "{\"traceEvents\":[{\"ph\":\"X\"},5]} has a number among its events",
    .advice = "Remove the element; heap dumps in other events are not affected. If you write such files, write nothing but objects into the array of events.",
    .anchor = "chrome/trace.md#events", .since = "0.1"};
inline constexpr Rule events_missing{
    .id = "trace.events.missing", .severity = Severity::error, .stage = Stage::read,
    .title = "a trace object has an array `traceEvents`",
    .reason = "Without the array, there is nothing to import.",
    .example = "{\"traceEvents\":{\"ph\":\"v\"}} has an object where the array belongs",
    .advice = "Check that the file is the one you meant. If you write such files, write the array even if it has no events.",
    .anchor = "chrome/trace.md#container", .since = "0.1"};
inline constexpr Rule events_unclosed{
    .id = "trace.events.unclosed", .severity = Severity::note, .stage = Stage::read,
    .title = "the array of events ends with a bracket",
    .reason = "Interrupted traces lack the bracket and may end with a comma. Chrome's trace viewer (Catapult) repairs both, but JSON.parse rejects the file.",
    .example = "[{\"ph\":\"v\",\"pid\":7},  and then the end of the file",
    .advice = "Run heapcheck recover, which closes the array. If you write such files, close the array even if the writer is interrupted.",
    .anchor = "chrome/trace.md#unclosed", .since = "0.1"};
inline constexpr Rule file_bom{
    .id = "trace.file.byte-order-mark", .severity = Severity::note, .stage = Stage::read,
    .title = "a trace has no byte order mark",
    .reason = "Chrome's trace viewer (Catapult) removes it; JSON.parse rejects a file that begins with one.",
    .example = "the bytes EF BB BF before the opening brace",
    .advice = "If the trace has heap dumps, run heapcheck convert --to heaps-v2 (or chrome-legacy) without --keep-trace, which writes them without the mark. If it has none, remove the three bytes. If you write such files, save them as UTF-8 without a byte order mark.",
    .anchor = "chrome/trace.md#container", .since = "0.1"};
inline constexpr std::array faults{&dumps_json_string, &dumps_type, &event_id, &event_phase, &event_pid, &event_type, &events_missing, &events_unclosed, &file_bom};
// clang-format on

}  // namespace heapcheck::chrome::rules
