// The rules over what legacy heap dumps hold, once they are read.
#pragma once

#include <array>

#include "heapcheck/finding.hpp"

namespace heapcheck::validation::chrome::legacy::rules {

// One line a member, however long.
// clang-format off
inline constexpr Rule dump_repeated{
    .id = "legacy.dump.repeated", .severity = Severity::note, .stage = Stage::check,
    .title = "a process has its heaps in one event of a dump",
    .reason = "Catapult shows the first one and drops the others, with a warning.",
    .anchor = "chrome/legacy.md#object", .since = "0.1"};
inline constexpr Rule entry_child_exceeds_parent{
    .id = "legacy.entry.child-exceeds-parent", .severity = Severity::error, .stage = Stage::check,
    .title = "a stack holds at most what its caller holds",
    .reason = "Values are cumulative: Catapult shows less than nothing as the caller's own memory.",
    .anchor = "chrome/legacy.md#values", .since = "0.1"};
inline constexpr Rule entry_child_sum{
    .id = "legacy.entry.child-sum", .severity = Severity::error, .stage = Stage::check,
    .title = "what a stack's callees hold together is at most what the stack holds",
    .reason = "Values are cumulative: Catapult shows less than nothing as the stack's own memory.",
    .anchor = "chrome/legacy.md#values", .since = "0.1"};
inline constexpr Rule entry_dangling_frame{
    .id = "legacy.entry.dangling-frame", .severity = Severity::error, .stage = Stage::check,
    .title = "the stack of an entry is the id of a stack frame",
    .reason = "Catapult skips the entry with a warning.",
    .anchor = "chrome/legacy.md#entries", .since = "0.1"};
inline constexpr Rule entry_dangling_type{
    .id = "legacy.entry.dangling-type", .severity = Severity::error, .stage = Stage::check,
    .title = "the type of an entry is the id of a type",
    .reason = "Catapult skips the entry with a warning.",
    .anchor = "chrome/legacy.md#entries", .since = "0.1"};
inline constexpr Rule entry_duplicate{
    .id = "legacy.entry.duplicate", .severity = Severity::error, .stage = Stage::check,
    .title = "no two entries have the same stack and type",
    .reason = "Catapult takes both; which of them it shows depends on their order.",
    .anchor = "chrome/legacy.md#entries", .since = "0.1"};
inline constexpr Rule entry_misplaced{
    .id = "legacy.entry.misplaced", .severity = Severity::error, .stage = Stage::check,
    .title = "an entry whose values do not fit stands where its stack and type belong",
    .reason = "Writers sort entries; one alone that is elsewhere has a wrong stack or type, and is shown there.",
    .anchor = "chrome/legacy.md#values", .since = "0.1"};
inline constexpr Rule entry_missing_stack{
    .id = "legacy.entry.missing-stack", .severity = Severity::error, .stage = Stage::check,
    .title = "an entry has a stack, unless all values are self values",
    .reason = "Catapult skips the entry with a warning.",
    .anchor = "chrome/legacy.md#entries", .since = "0.1"};
inline constexpr Rule entry_missing_total{
    .id = "legacy.entry.missing-total", .severity = Severity::note, .stage = Stage::check,
    .title = "for each entry there are those of its caller and of all types",
    .reason = "Writers that kept the largest shares may leave them out; Catapult adds up what is there.",
    .anchor = "chrome/legacy.md#values", .since = "0.1"};
inline constexpr Rule entry_root_first{
    .id = "legacy.entry.root-first", .severity = Severity::warning, .stage = Stage::check,
    .title = "the first entry is that of all stacks and types",
    .reason = "Catapult has no total then, and adds up what is there.",
    .anchor = "chrome/legacy.md#entries", .since = "0.1"};
inline constexpr Rule entry_type_rest{
    .id = "legacy.entry.type-rest", .severity = Severity::warning, .stage = Stage::check,
    .title = "where nothing was left out, the types of a stack hold together what the stack holds",
    .reason = "An entry is lost, or a value changed; Catapult shows the rest as memory of other types.",
    .anchor = "chrome/legacy.md#threshold", .since = "0.1"};
inline constexpr Rule entry_type_sum{
    .id = "legacy.entry.type-sum", .severity = Severity::error, .stage = Stage::check,
    .title = "what the types of a stack hold together is at most what the stack holds",
    .reason = "Values are cumulative: Catapult shows less than nothing as the memory of other types.",
    .anchor = "chrome/legacy.md#values", .since = "0.1"};
inline constexpr Rule frame_cycle{
    .id = "legacy.frame.cycle", .severity = Severity::error, .stage = Stage::check,
    .title = "no stack frame is called from itself by way of its parents",
    .reason = "Catapult never comes to an end.",
    .anchor = "chrome/legacy.md#frames", .since = "0.1"};
inline constexpr Rule frame_dangling_parent{
    .id = "legacy.frame.dangling-parent", .severity = Severity::error, .stage = Stage::check,
    .title = "the parent of a stack frame is the id of a stack frame",
    .reason = "Catapult takes the frame for an outermost one, with a warning.",
    .anchor = "chrome/legacy.md#frames", .since = "0.1"};
inline constexpr Rule frames_missing{
    .id = "legacy.frames.missing", .severity = Severity::error, .stage = Stage::check,
    .title = "a process whose entries have stacks has an event `stackFrames`",
    .reason = "Catapult skips the entries, each with a warning.",
    .anchor = "chrome/legacy.md#frames", .since = "0.1"};
inline constexpr Rule heap_empty{
    .id = "legacy.heap.empty", .severity = Severity::note, .stage = Stage::check,
    .title = "an allocator has entries",
    .reason = "Catapult leaves the allocator out, with a warning.",
    .anchor = "chrome/legacy.md#object", .since = "0.1"};
inline constexpr Rule heap_old_variant{
    .id = "legacy.heap.old-variant", .severity = Severity::note, .stage = Stage::check,
    .title = "values are cumulative, and the first entry has a stack",
    .reason = "In the oldest dumps it has none, and values are those of a stack alone.",
    .anchor = "chrome/legacy.md#old", .since = "0.1"};
inline constexpr Rule types_missing{
    .id = "legacy.types.missing", .severity = Severity::error, .stage = Stage::check,
    .title = "a process with cumulative values has an event `typeNames`",
    .reason = "Catapult drops the dumps of the process, even where no entry has a type.",
    .anchor = "chrome/legacy.md#types", .since = "0.1"};
inline constexpr Rule types_repeated{
    .id = "legacy.types.repeated", .severity = Severity::warning, .stage = Stage::check,
    .title = "a process has one event `typeNames`",
    .reason = "Catapult takes the first one and drops the others, with a warning.",
    .anchor = "chrome/legacy.md#types", .since = "0.1"};
inline constexpr std::array all{&dump_repeated, &entry_child_exceeds_parent, &entry_child_sum, &entry_dangling_frame, &entry_dangling_type, &entry_duplicate, &entry_misplaced, &entry_missing_stack, &entry_missing_total, &entry_root_first, &entry_type_rest, &entry_type_sum, &frame_cycle, &frame_dangling_parent, &frames_missing, &heap_empty, &heap_old_variant, &types_missing, &types_repeated};
// clang-format on

}  // namespace heapcheck::validation::chrome::legacy::rules
