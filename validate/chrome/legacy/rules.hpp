// The rules over what legacy heap dumps hold, once they are read.
#pragma once

#include "heapcheck/finding.hpp"

namespace heapcheck::validation::chrome::legacy::rules {

inline constexpr Rule dump_repeated{"legacy.dump.repeated",
                                    Severity::note,
                                    Stage::check,
                                    "a process has its heaps in one event of a dump",
                                    "Catapult shows the first one and drops the others, with a warning.",
                                    "chrome/legacy.md#object",
                                    "0.1"};
inline constexpr Rule entry_child_sum{
    "legacy.entry.child-sum",
    Severity::error,
    Stage::check,
    "what a stack's callees hold together is at most what the stack holds",
    "Values are cumulative: Catapult shows less than nothing as the stack's own memory.",
    "chrome/legacy.md#values",
    "0.1"};
inline constexpr Rule entry_child_exceeds_parent{
    "legacy.entry.child-exceeds-parent",
    Severity::error,
    Stage::check,
    "a stack holds at most what its caller holds",
    "Values are cumulative: Catapult shows less than nothing as the caller's own memory.",
    "chrome/legacy.md#values",
    "0.1"};
inline constexpr Rule entry_dangling_frame{"legacy.entry.dangling-frame",
                                           Severity::error,
                                           Stage::check,
                                           "the stack of an entry is the id of a stack frame",
                                           "Catapult skips the entry with a warning.",
                                           "chrome/legacy.md#entries",
                                           "0.1"};
inline constexpr Rule entry_dangling_type{"legacy.entry.dangling-type",
                                          Severity::error,
                                          Stage::check,
                                          "the type of an entry is the id of a type",
                                          "Catapult skips the entry with a warning.",
                                          "chrome/legacy.md#entries",
                                          "0.1"};
inline constexpr Rule entry_duplicate{"legacy.entry.duplicate",
                                      Severity::error,
                                      Stage::check,
                                      "no two entries have the same stack and type",
                                      "Catapult takes both; which of them it shows depends on their order.",
                                      "chrome/legacy.md#entries",
                                      "0.1"};
inline constexpr Rule entry_misplaced{
    "legacy.entry.misplaced",
    Severity::error,
    Stage::check,
    "an entry whose values do not fit stands where its stack and type belong",
    "Writers sort entries; one alone that is elsewhere has a wrong stack or type, and is shown there.",
    "chrome/legacy.md#values",
    "0.1"};
inline constexpr Rule entry_missing_stack{"legacy.entry.missing-stack",
                                          Severity::error,
                                          Stage::check,
                                          "an entry has a stack, unless all values are self values",
                                          "Catapult skips the entry with a warning.",
                                          "chrome/legacy.md#entries",
                                          "0.1"};
inline constexpr Rule entry_missing_total{
    "legacy.entry.missing-total",
    Severity::note,
    Stage::check,
    "for each entry there are those of its caller and of all types",
    "Writers that kept the largest shares may leave them out; Catapult adds up what is there.",
    "chrome/legacy.md#values",
    "0.1"};
inline constexpr Rule entry_root_first{"legacy.entry.root-first",
                                       Severity::warning,
                                       Stage::check,
                                       "the first entry is that of all stacks and types",
                                       "Catapult has no total then, and adds up what is there.",
                                       "chrome/legacy.md#entries",
                                       "0.1"};
inline constexpr Rule entry_type_rest{
    "legacy.entry.type-rest",
    Severity::warning,
    Stage::check,
    "where nothing was left out, the types of a stack hold together what the stack holds",
    "An entry is lost, or a value changed; Catapult shows the rest as memory of other types.",
    "chrome/legacy.md#threshold",
    "0.1"};
inline constexpr Rule entry_type_sum{
    "legacy.entry.type-sum",
    Severity::error,
    Stage::check,
    "what the types of a stack hold together is at most what the stack holds",
    "Values are cumulative: Catapult shows less than nothing as the memory of other types.",
    "chrome/legacy.md#values",
    "0.1"};
inline constexpr Rule frame_cycle{"legacy.frame.cycle",
                                  Severity::error,
                                  Stage::check,
                                  "no stack frame is called from itself by way of its parents",
                                  "Catapult never comes to an end.",
                                  "chrome/legacy.md#frames",
                                  "0.1"};
inline constexpr Rule frame_dangling_parent{"legacy.frame.dangling-parent",
                                            Severity::error,
                                            Stage::check,
                                            "the parent of a stack frame is the id of a stack frame",
                                            "Catapult takes the frame for an outermost one, with a warning.",
                                            "chrome/legacy.md#frames",
                                            "0.1"};
inline constexpr Rule frames_missing{"legacy.frames.missing",
                                     Severity::error,
                                     Stage::check,
                                     "a process whose entries have stacks has an event `stackFrames`",
                                     "Catapult skips the entries, each with a warning.",
                                     "chrome/legacy.md#frames",
                                     "0.1"};
inline constexpr Rule heap_empty{"legacy.heap.empty",
                                 Severity::note,
                                 Stage::check,
                                 "an allocator has entries",
                                 "Catapult leaves the allocator out, with a warning.",
                                 "chrome/legacy.md#object",
                                 "0.1"};
inline constexpr Rule heap_old_variant{
    "legacy.heap.old-variant",
    Severity::note,
    Stage::check,
    "values are cumulative, and the first entry has a stack",
    "In the oldest dumps it has none, and values are those of a stack alone.",
    "chrome/legacy.md#old",
    "0.1"};
inline constexpr Rule types_missing{
    "legacy.types.missing",
    Severity::error,
    Stage::check,
    "a process with cumulative values has an event `typeNames`",
    "Catapult drops the dumps of the process, even where no entry has a type.",
    "chrome/legacy.md#types",
    "0.1"};
inline constexpr Rule types_repeated{"legacy.types.repeated",
                                     Severity::warning,
                                     Stage::check,
                                     "a process has one event `typeNames`",
                                     "Catapult takes the first one and drops the others, with a warning.",
                                     "chrome/legacy.md#types",
                                     "0.1"};

}  // namespace heapcheck::validation::chrome::legacy::rules
