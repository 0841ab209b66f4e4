// Rules for legacy heap dumps, applied once the dumps have been read.
#pragma once

#include <array>
#include <string_view>

#include "heapcheck/types/finding.hpp"
#include "validate/chrome/legacy/view.hpp"

namespace heapcheck::validation::chrome::legacy::rules {

// One line per member, however long.
// clang-format off
inline constexpr Rule dump_other_process{
    .id = "legacy.dump.other-process", .severity = Severity::error, .stage = Stage::check,
    .title = "the entries of a dump match the frames and types of its process",
    .reason = "Several stacks or types are unknown or contradict the process, so the dump has the pid of another process, and readers show its memory under wrong names.",
    .example = "a dump of process 7 with the pid 8",
    .advice = "Look for a process without heaps in this dump. If you write such files, write the pid of the process that a dump describes.",
    .anchor = "chrome/legacy.md#object", .since = "0.1"};
inline constexpr Rule dump_repeated{
    .id = "legacy.dump.repeated", .severity = Severity::note, .stage = Stage::check,
    .title = "in each dump, the heaps of a process are in one event",
    .reason = "Chrome's trace viewer (Catapult) shows the first event and drops the others, with a warning.",
    .example = "two events with \"ph\":\"v\",\"pid\":7,\"id\":\"0x1\", each with \"heaps\"",
    .advice = "heapcheck keeps all of them; expect other readers to show only the first. If you write such files, write the heaps of a process into one event.",
    .anchor = "chrome/legacy.md#object", .since = "0.1"};
inline constexpr Rule dump_twice{
    .id = "legacy.dump.twice", .severity = Severity::warning, .stage = Stage::check,
    .title = "each dump of a process occurs only once in the trace",
    .reason = "An event was copied. Chrome's trace viewer (Catapult) shows the first one, but other readers count the memory twice.",
    .example = "two events with \"ph\":\"v\",\"pid\":7,\"id\":\"0x1\" and the same \"heaps\"",
    .advice = "Remove one of the two events. If you merge traces, do not add the same file twice.",
    .anchor = "chrome/legacy.md#object", .since = "0.1"};
inline constexpr Rule entry_child_exceeds_parent{
    .id = "legacy.entry.child-exceeds-parent", .severity = Severity::error, .stage = Stage::check,
    .title = "a stack accounts for no more memory than its caller",
    .reason = "Values are cumulative, so Chrome's trace viewer (Catapult) shows a negative amount as the caller's own memory.",
    .example = "{\"size\":\"100\",\"bt\":\"0\"} and {\"size\":\"200\",\"bt\":\"1\"}, where frame 0 calls frame 1",
    .advice = "Do not trust the values of this stack. If you write such files, add the memory of a callee to all of its callers.",
    .anchor = "chrome/legacy.md#values", .since = "0.1"};
inline constexpr Rule entry_child_sum{
    .id = "legacy.entry.child-sum", .severity = Severity::error, .stage = Stage::check,
    .title = "the callees of a stack together account for no more memory than the stack",
    .reason = "Values are cumulative, so Chrome's trace viewer (Catapult) shows a negative amount as the stack's own memory.",
    .example = "a stack with \"10\" (16 bytes) and two callees with \"c\" each (24 bytes together)",
    .advice = "Do not trust the values of this stack. If you write such files, check that a frame's parent is the frame that called it.",
    .anchor = "chrome/legacy.md#values", .since = "0.1"};
inline constexpr Rule entry_count{
    .id = "legacy.entry.count", .severity = Severity::warning, .stage = Stage::check,
    .title = "no entry has more objects than bytes",
    .reason = "An object takes up at least one byte, so a count or a size was changed.",
    .example = "{\"size\":\"10\",\"count\":\"64\",\"bt\":\"0\"}: 100 objects in 16 bytes",
    .advice = "Do not trust the counts of this allocator. If you write such files, check that sizes and counts are not swapped.",
    .anchor = "chrome/legacy.md#values", .since = "0.1"};
inline constexpr Rule entry_dangling_frame{
    .id = "legacy.entry.dangling-frame", .severity = Severity::error, .stage = Stage::check,
    .title = "the stack of an entry is the id of a stack frame",
    .reason = "Chrome's trace viewer (Catapult) skips the entry with a warning.",
    .example = "{\"size\":\"10\",\"bt\":\"4\"} where the process has no frame \"4\"",
    .advice = "Expect readers not to show the memory of this stack. If you write such files, write every frame that an entry refers to.",
    .anchor = "chrome/legacy.md#entries", .since = "0.1"};
inline constexpr Rule entry_dangling_type{
    .id = "legacy.entry.dangling-type", .severity = Severity::error, .stage = Stage::check,
    .title = "the type of an entry is the id of a type",
    .reason = "Chrome's trace viewer (Catapult) skips the entry with a warning.",
    .example = "{\"size\":\"10\",\"bt\":\"\",\"type\":\"9\"} where the process has no type \"9\"",
    .advice = "Expect readers not to show the memory of this type. If you write such files, write every type that an entry refers to.",
    .anchor = "chrome/legacy.md#entries", .since = "0.1"};
inline constexpr Rule entry_duplicate{
    .id = "legacy.entry.duplicate", .severity = Severity::error, .stage = Stage::check,
    .title = "no two entries have the same stack and type",
    .reason = "Chrome's trace viewer (Catapult) reads both, and their order determines which one it shows.",
    .example = "{\"size\":\"10\",\"bt\":\"0\"} and {\"size\":\"20\",\"bt\":\"0\"} in one allocator",
    .advice = "Do not trust the values of this stack. If you write such files, add up the memory of entries with the same stack and type.",
    .anchor = "chrome/legacy.md#entries", .since = "0.1"};
inline constexpr Rule entry_lost_total{
    .id = "legacy.entry.lost-total", .severity = Severity::error, .stage = Stage::check,
    .title = "if the writer left nothing out, every entry has matching entries for its caller and for all types of its stack",
    .reason = "An entry was lost, or the stack, type or caller of one was changed, so readers show its memory in the wrong place.",
    .example = "a threshold of 0, and {\"size\":\"10\",\"bt\":\"2\",\"type\":\"1\"} without an entry {\"size\":\"20\",\"bt\":\"2\"}",
    .advice = "Do not trust the values of this stack. If you write such files with a threshold of 0, write the totals that an entry is part of.",
    .anchor = "chrome/legacy.md#threshold", .since = "0.1"};
inline constexpr Rule entry_misplaced{
    .id = "legacy.entry.misplaced", .severity = Severity::error, .stage = Stage::check,
    .title = "entries with contradictory values or lost totals are sorted by stack and type",
    .reason = "Writers sort entries, so if only one entry is out of order, its stack or type is wrong, and readers show its memory under the wrong one.",
    .example = "entries of the stacks 1, 2, 7, 4 and 5, whose values do not add up: 7 should probably be 3",
    .advice = "Look at the neighbouring entries to see which stack or type was meant. If you write such files, keep entries sorted by stack and type.",
    .anchor = "chrome/legacy.md#values", .since = "0.1"};
inline constexpr Rule entry_missing_stack{
    .id = "legacy.entry.missing-stack", .severity = Severity::error, .stage = Stage::check,
    .title = "an entry has a stack, unless all values are self values",
    .reason = "Chrome's trace viewer (Catapult) skips the entry with a warning.",
    .example = "{\"size\":\"10\",\"bt\":\"\"} followed by {\"size\":\"8\"}, which has no \"bt\"",
    .advice = "Add the stack if you know it. If you write such files, write \"bt\":\"\" for the empty stack.",
    .anchor = "chrome/legacy.md#entries", .since = "0.1"};
inline constexpr Rule entry_missing_total{
    .id = "legacy.entry.missing-total", .severity = Severity::note, .stage = Stage::check,
    .title = "every entry has matching entries for its caller and for all types of its stack",
    .reason = "Writers that keep only the largest shares may leave these entries out. Chrome's trace viewer (Catapult) adds up the entries that are there.",
    .example = "{\"size\":\"10\",\"bt\":\"2\",\"type\":\"1\"} without an entry {\"size\":\"20\",\"bt\":\"2\"}",
    .advice = "Expect sums that are too low for this stack. If you write such files, write the totals that an entry is part of.",
    .anchor = "chrome/legacy.md#values", .since = "0.1"};
inline constexpr Rule entry_root_first{
    .id = "legacy.entry.root-first", .severity = Severity::warning, .stage = Stage::check,
    .title = "the first entry is the total of all stacks and types",
    .reason = "Otherwise Chrome's trace viewer (Catapult) has no total and adds up the entries that are there.",
    .example = "\"entries\":[{\"size\":\"10\",\"bt\":\"0\"},{\"size\":\"20\",\"bt\":\"\"}]",
    .advice = "Expect a total that is too low in other readers. If you write such files, write the entry for the empty stack with all types first.",
    .anchor = "chrome/legacy.md#entries", .since = "0.1"};
inline constexpr Rule entry_type_rest{
    .id = "legacy.entry.type-rest", .severity = Severity::warning, .stage = Stage::check,
    .title = "if the writer left nothing out, the types of a stack add up to the stack",
    .reason = "An entry was lost or a value was changed; Chrome's trace viewer (Catapult) shows the difference as memory of other types.",
    .example = "a threshold of 0, a stack of \"30\" (48 bytes) and its two types with \"10\" each (32 bytes together)",
    .advice = "Expect part of the memory to have no type. If you write such files with a threshold of 0, write an entry for every type.",
    .anchor = "chrome/legacy.md#threshold", .since = "0.1"};
inline constexpr Rule entry_type_sum{
    .id = "legacy.entry.type-sum", .severity = Severity::error, .stage = Stage::check,
    .title = "the types of a stack together account for no more memory than the stack",
    .reason = "Values are cumulative, so Chrome's trace viewer (Catapult) shows a negative amount as the memory of other types.",
    .example = "{\"size\":\"10\",\"bt\":\"0\"} and {\"size\":\"18\",\"bt\":\"0\",\"type\":\"1\"}: a stack of 16 bytes with 24 bytes of one type",
    .advice = "Do not trust the values of this stack. If you write such files, add every allocation to the total of its stack.",
    .anchor = "chrome/legacy.md#values", .since = "0.1"};
inline constexpr Rule frame_cycle{
    .id = "legacy.frame.cycle", .severity = Severity::error, .stage = Stage::check,
    .title = "the parents of a stack frame lead to an outermost frame",
    .reason = "Chrome's trace viewer (Catapult) hangs when it walks up the callers.",
    .example = "\"1\":{\"name\":\"f\",\"parent\":\"2\"},\"2\":{\"name\":\"g\",\"parent\":\"1\"}",
    .advice = "Remove the parent of one of the frames to be able to open the trace. If you write such files, add a frame only after its caller.",
    .anchor = "chrome/legacy.md#frames", .since = "0.1"};
inline constexpr Rule frame_dangling_parent{
    .id = "legacy.frame.dangling-parent", .severity = Severity::error, .stage = Stage::check,
    .title = "the parent of a stack frame is the id of a stack frame",
    .reason = "Chrome's trace viewer (Catapult) treats the frame as an outermost one, with a warning.",
    .example = "\"1\":{\"name\":\"f\",\"parent\":\"6\"} where the process has no frame \"6\"",
    .advice = "Expect stacks through this frame to lack their outer frames. If you write such files, write every frame that another frame refers to.",
    .anchor = "chrome/legacy.md#frames", .since = "0.1"};
inline constexpr Rule frames_missing{
    .id = "legacy.frames.missing", .severity = Severity::error, .stage = Stage::check,
    .title = "a process whose entries have stacks has a `stackFrames` event",
    .reason = "Chrome's trace viewer (Catapult) skips the entries, each with a warning.",
    .example = "{\"size\":\"10\",\"bt\":\"0\"} in a trace without a \"stackFrames\" event for the process",
    .advice = "Look for the part of the trace with the metadata, as only totals can be read without it. If you write such files, write the names of all frames.",
    .anchor = "chrome/legacy.md#frames", .since = "0.1"};
inline constexpr Rule heap_empty{
    .id = "legacy.heap.empty", .severity = Severity::note, .stage = Stage::check,
    .title = "an allocator has entries",
    .reason = "Chrome's trace viewer (Catapult) leaves the allocator out, with a warning.",
    .example = "\"malloc\":{\"entries\":[]}",
    .advice = "Nothing needs to be done if the allocator was unused. If you write such files, write at least the total, even if it is 0.",
    .anchor = "chrome/legacy.md#object", .since = "0.1"};
inline constexpr Rule heap_old_variant{
    .id = "legacy.heap.old-variant", .severity = Severity::note, .stage = Stage::check,
    .title = "values are cumulative, and the first entry has a stack",
    .reason = "In the oldest dumps the total has no stack, types have entries of their own, and the values of stacks do not include their callees.",
    .example = "\"entries\":[{\"size\":\"602\"},{\"size\":\"36c\",\"bt\":\"0\"}]",
    .advice = "Run heapcheck convert --to heaps-v2 and then --to chrome-legacy, both with --allow-loss, to write cumulative values. If you write such files, give the total an empty stack.",
    .anchor = "chrome/legacy.md#old", .since = "0.1"};
inline constexpr Rule names_other_process{
    .id = "legacy.names.other-process", .severity = Severity::error, .stage = Stage::check,
    .title = "the frames and types of a process match its dumps",
    .reason = "In most dumps, several stacks or types are unknown or contradict the names. The names were therefore lost or belong to another process, and readers show memory under wrong names.",
    .example = "the \"typeNames\" event of process 7, with the pid 8",
    .advice = "Do not trust the names of this process. If you write such files, write the pid of the process to which the names belong.",
    .anchor = "chrome/legacy.md#types", .since = "0.1"};
inline constexpr Rule types_missing{
    .id = "legacy.types.missing", .severity = Severity::error, .stage = Stage::check,
    .title = "a process with cumulative values has a `typeNames` event",
    .reason = "Chrome's trace viewer (Catapult) drops the dumps of the process, even if no entry has a type.",
    .example = "{\"size\":\"10\",\"bt\":\"\"} in a trace without a \"typeNames\" event for the process",
    .advice = "Add the event, which may be empty if no entry has a type. If you write such files, write one for each process.",
    .anchor = "chrome/legacy.md#types", .since = "0.1"};
inline constexpr Rule types_repeated{
    .id = "legacy.types.repeated", .severity = Severity::warning, .stage = Stage::check,
    .title = "a process has only one `typeNames` event",
    .reason = "Chrome's trace viewer (Catapult) takes the first event and drops the others, with a warning.",
    .example = "two events {\"ph\":\"M\",\"name\":\"typeNames\",\"pid\":7}",
    .advice = "Expect other readers to use only the types of the first event. If you write such files, write all types of a process into one event.",
    .anchor = "chrome/legacy.md#types", .since = "0.1"};
inline constexpr std::array all{&dump_other_process, &dump_repeated, &dump_twice, &entry_child_exceeds_parent, &entry_child_sum, &entry_count, &entry_dangling_frame, &entry_dangling_type, &entry_duplicate, &entry_lost_total, &entry_misplaced, &entry_missing_stack, &entry_missing_total, &entry_root_first, &entry_type_rest, &entry_type_sum, &frame_cycle, &frame_dangling_parent, &frames_missing, &heap_empty, &heap_old_variant, &names_other_process, &types_missing, &types_repeated};
// clang-format on

}  // namespace heapcheck::validation::chrome::legacy::rules

namespace heapcheck::validation::chrome::legacy {

// Rules for the stack frames and types of a process.

void check_frames(const ProcessView& view, core::FindingSink& sink);
void check_types(const ProcessView& view, core::FindingSink& sink);

// Rules for individual entries of a heap: their ids can be resolved, and no entry occurs twice.

/// Fills the view with the entries whose stack and type are known, and reports the others.
void resolve_entries(HeapView& view, core::FindingSink& sink);

/// Checks that the first entry is the total, if values are cumulative.
void check_root(const HeapView& view, core::FindingSink& sink);

/// Checks that no total is missing from a resolved and complete view of cumulative values.
void check_totals(HeapView& view, core::FindingSink& sink);

/// Writers sort entries, so if only one entry is out of order, that entry is the cause of the contradictory
/// values or the missing total. Reports that entry with `cause` in the message, marks the view as incomplete
/// and returns true; returns false if there is no such entry.
bool check_places(HeapView& view, std::string_view cause, core::FindingSink& sink);

// Rules for cumulative values: neither the callees of a stack nor its types account for more memory than
// the stack. One wrong value breaks several sums; the entry that is part of most of them is reported.

/// Returns whether the sums in a resolved and complete view of cumulative values are correct. Adds broken
/// sums to the faults of the process.
[[nodiscard]] bool check_sums(HeapView& view, core::FindingSink& sink);

/// Call this once all heaps of a process have been checked. If a frame with a wrong parent explains all
/// broken sums, reports that frame. Otherwise, reports each stack that caused a broken sum once.
void report_sums(const ProcessView& process, core::FindingSink& sink);

/// Checks a resolved view of the old variant: neither the stacks nor the types account for more memory than
/// the total.
void check_old_sums(const HeapView& view, core::FindingSink& sink);

/// Checks that the types of a stack do not account for less memory than the stack. Requires a view from
/// which the writer omitted nothing and in which no sum is too large.
void check_type_rests(const HeapView& view, core::FindingSink& sink);

}  // namespace heapcheck::validation::chrome::legacy
