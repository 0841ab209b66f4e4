// The rules that walking a trace can raise, whichever heap format it holds.
#pragma once

#include "heapcheck/finding.hpp"

namespace heapcheck::chrome::rules {

inline constexpr Rule dumps_json_string{
    "trace.dumps.json-string",
    Severity::note,
    Stage::read,
    "`args.dumps` is an object, not a string that holds JSON",
    "Some tools export it as a string; readers that do not parse it find no dump.",
    "chrome/trace.md#dumps",
    "0.1"};
inline constexpr Rule dumps_type{"trace.dumps.type",
                                 Severity::error,
                                 Stage::read,
                                 "`args.dumps` of a memory dump is an object",
                                 "Catapult skips the event, and with it what the process held.",
                                 "chrome/trace.md#dumps",
                                 "0.1"};
inline constexpr Rule event_id{"trace.event.id",
                               Severity::error,
                               Stage::read,
                               "a memory dump has the id of the dump it belongs to",
                               "Catapult cannot tell which dump the event is part of, and leaves it out.",
                               "chrome/trace.md#events",
                               "0.1"};
inline constexpr Rule event_phase{"trace.event.phase",
                                  Severity::warning,
                                  Stage::read,
                                  "heaps stand in events of phase `v`",
                                  "Readers pass over heaps in other events, without a word.",
                                  "chrome/trace.md#events",
                                  "0.1"};
inline constexpr Rule event_pid{"trace.event.pid",
                                Severity::error,
                                Stage::read,
                                "an event that carries heaps or their names has an integer process id",
                                "Readers cannot tell which process it is about.",
                                "chrome/trace.md#events",
                                "0.1"};
inline constexpr Rule event_type{"trace.event.type",
                                 Severity::error,
                                 Stage::read,
                                 "an event is an object",
                                 "Catapult stops importing at it.",
                                 "chrome/trace.md#events",
                                 "0.1"};
inline constexpr Rule events_missing{"trace.events.missing",
                                     Severity::error,
                                     Stage::read,
                                     "a trace object has an array `traceEvents`",
                                     "There is nothing to import.",
                                     "chrome/trace.md#container",
                                     "0.1"};
inline constexpr Rule events_unclosed{
    "trace.events.unclosed",
    Severity::note,
    Stage::read,
    "an array of events ends in a bracket",
    "Interrupted traces lack it, and may end in a comma; Catapult mends both, JSON.parse refuses the file.",
    "chrome/trace.md#unclosed",
    "0.1"};
inline constexpr Rule file_bom{"trace.file.byte-order-mark",
                               Severity::note,
                               Stage::read,
                               "a trace has no byte order mark",
                               "Catapult takes it away; JSON.parse refuses a text that begins with one.",
                               "chrome/trace.md#container",
                               "0.1"};

}  // namespace heapcheck::chrome::rules
