// The rules for the requirements that readers of MoarVM dumps, traces and sampling profiles impose beyond
// those of the format. The rules for readers of heap snapshots are in v8/heapsnapshot/readers/.
#pragma once

#include <array>

#include "heapcheck/types/finding.hpp"

namespace heapcheck::validation::rules {

// One line per member, however long.
// clang-format off
inline constexpr Rule moar_ha_name{
    .id = "mvm1.moar-ha.name", .severity = Severity::error, .stage = Stage::check,
    .title = "names can be parsed as lines and as JSON: they contain no line feed and no tab, and begin with neither a quote nor a backslash",
    .reason = "moar-ha splits the file into lines and parses the names as JSON, which is not how MoarVM writes them. It fails with `Confused by heap snapshot line` or `Invalid JSON`.",
    .example = "a name that consists of two lines",
    .advice = "There is nothing to repair: MoarVM writes such names. Use heapcheck to look at the file, or run heapcheck convert --to mvmheap-v3 for comma and moarperf.",
    .anchor = "readers.md#moar-ha", .since = "0.1"};
inline constexpr Rule moar_ha_size{
    .id = "mvm1.moar-ha.size", .severity = Severity::warning, .stage = Stage::check,
    .title = "sizes of collectables are at most 32,767",
    .reason = "moar-ha keeps sizes as signed 16-bit numbers: it shows 40,000 as -25,536.",
    .example = "a collectable with a size of 40000",
    .advice = "There is nothing to repair: MoarVM writes sizes of up to 65,535. Do not rely on the sizes that moar-ha shows for the type; the total of the snapshot is correct.",
    .anchor = "readers.md#moar-ha", .since = "0.1"};
inline constexpr Rule moar_ha_version2{
    .id = "mvm2.moar-ha.references", .severity = Severity::error, .stage = Stage::check,
    .title = "the file is of version 1",
    .reason = "moar-ha 0.2 opens files of version 2, but fails at the references of each snapshot with `This container does not reference a native integer`.",
    .example = "any file of version 2 that has a snapshot",
    .advice = "Run heapcheck convert --to mvmheap-v1, which moar-ha reads, or --to mvmheap-v3 for comma and moarperf.",
    .anchor = "readers.md#moar-ha", .since = "0.1"};
inline constexpr Rule comma_entry_size{
    .id = "mvm3.comma.entry-size", .severity = Severity::error, .stage = Stage::check,
    .title = "every column has the entry size that MoarVM uses",
    .reason = "Comma expects each column to have its usual entry size, and fails with a `ClassCastException` if it has another.",
    .example = "a column `colsize` with entries of 4 bytes",
    .advice = "Run heapcheck convert --to mvmheap-v3, which writes the usual sizes. If you write such files, use the entry sizes that MoarVM uses.",
    .anchor = "readers.md#comma", .since = "0.1"};
inline constexpr Rule comma_size{
    .id = "mvm3.comma.size", .severity = Severity::warning, .stage = Stage::check,
    .title = "sizes of collectables are at most 32,767",
    .reason = "Comma keeps sizes as signed 16-bit numbers: it shows 40,000 as -25,536.",
    .example = "a collectable with a size of 40000",
    .advice = "There is nothing to repair: MoarVM writes sizes of up to 65,535. Do not rely on the sizes that Comma shows for the type.",
    .anchor = "readers.md#comma", .since = "0.1"};
inline constexpr Rule moarperf_size{
    .id = "mvm3.moarperf.size", .severity = Severity::warning, .stage = Stage::check,
    .title = "sizes of collectables are at most 32,767, and unmanaged sizes less than 2^31",
    .reason = "moarperf keeps sizes as signed 16-bit numbers, and unmanaged sizes as signed 32-bit numbers. Larger ones become negative or too small.",
    .example = "a collectable with a size of 40000",
    .advice = "There is nothing to repair: MoarVM writes such sizes. Do not rely on the sizes that moarperf shows for the type.",
    .anchor = "readers.md#moarperf", .since = "0.1"};
inline constexpr Rule moarperf_unfinished{
    .id = "mvm3.moarperf.unfinished", .severity = Severity::warning, .stage = Stage::check,
    .title = "the file ends with the part that closes the run",
    .reason = "moarperf treats the last entry of the outer table of contents as that part, and leaves it out: it does not show the last snapshot.",
    .example = "a file that ends with the outer table of contents of a snapshot",
    .advice = "Run heapcheck convert --to mvmheap-v3, which writes a finished file.",
    .anchor = "readers.md#moarperf", .since = "0.1"};
inline constexpr Rule speedscope_flat_frame{
    .id = "v8prof.speedscope.flat-frame", .severity = Severity::error, .stage = Stage::check,
    .title = "the members of a call frame are in an object `callFrame`",
    .reason = "speedscope fails with `Cannot read properties of undefined (reading 'url')`.",
    .example = "{\"functionName\":\"f\",\"url\":\"\",\"selfSize\":96,\"children\":[]}",
    .advice = "Run heapcheck convert --to heapprofile, which writes the frames as V8 does.",
    .anchor = "readers.md#speedscope", .since = "0.1"};
inline constexpr Rule speedscope_depth{
    .id = "v8prof.speedscope.depth", .severity = Severity::error, .stage = Stage::check,
    .title = "the tree is at most 2,800 nodes deep",
    .reason = "speedscope calls itself for each level of the tree, and fails with `Maximum call stack size exceeded`.",
    .example = "a tree of 3,000 nested calls",
    .advice = "Use Chrome DevTools. If you record such profiles, limit the depth of the stacks.",
    .anchor = "readers.md#speedscope", .since = "0.1"};
inline constexpr Rule speedscope_dumps{
    .id = "trace.speedscope.dumps", .severity = Severity::warning, .stage = Stage::check,
    .title = "the heap is not in memory dumps",
    .reason = "speedscope shows only the calls in a trace. It ignores memory dumps, and says that the profile is empty if the trace has nothing else.",
    .example = "any trace with heap dumps",
    .advice = "Use Catapult's trace viewer, or the questions of heapcheck.",
    .anchor = "readers.md#speedscope", .since = "0.1"};
inline constexpr Rule perfetto_dumps{
    .id = "trace.perfetto.dumps", .severity = Severity::warning, .stage = Stage::check,
    .title = "the heap is not in memory dumps",
    .reason = "Perfetto imports a JSON trace without its memory dumps, which are events of phase `v`.",
    .example = "any trace with heap dumps",
    .advice = "Use Catapult's trace viewer, or the questions of heapcheck.",
    .anchor = "readers.md#perfetto", .since = "0.1"};
inline constexpr Rule perfetto_byte_order_mark{
    .id = "trace.perfetto.byte-order-mark", .severity = Severity::error, .stage = Stage::check,
    .title = "a trace has no byte order mark",
    .reason = "Perfetto recognises a JSON trace by its first characters, `{\"` or `[{\"`, and rejects a file that begins with something else.",
    .example = "the bytes ef bb bf before the first bracket",
    .advice = "Run heapcheck convert --to heaps-v2 or --to chrome-legacy, which write the trace without the mark.",
    .anchor = "readers.md#perfetto", .since = "0.1"};
inline constexpr Rule catapult_json_string{
    .id = "trace.catapult.json-string", .severity = Severity::warning, .stage = Stage::check,
    .title = "`args.dumps` is an object rather than a string of JSON",
    .reason = "Catapult shows the memory dump without its heaps.",
    .example = "\"args\":{\"dumps\":\"{\\\"heaps_v2\\\":{...}}\"}",
    .advice = "Run heapcheck convert --to heaps-v2 or --to chrome-legacy, which write the dumps as objects.",
    .anchor = "readers.md#catapult", .since = "0.1"};
inline constexpr Rule catapult_columns{
    .id = "heaps2.catapult.columns", .severity = Severity::warning, .stage = Stage::check,
    .title = "the columns of an allocator are called `counts` and `sizes`",
    .reason = "Catapult does not find the columns under other names, and shows the heap without numbers.",
    .example = "\"malloc\":{\"bytes\":[48],\"objects\":[2],\"nodes\":[2],\"types\":[1]}",
    .advice = "Run heapcheck convert --to heaps-v2, which writes the usual names.",
    .anchor = "readers.md#catapult", .since = "0.1"};
inline constexpr Rule catapult_heap_profile{
    .id = "heaps2.catapult.heap-profile", .severity = Severity::warning, .stage = Stage::check,
    .title = "heaps are in `args.dumps.heaps_v2` of a memory dump",
    .reason = "Catapult ignores heaps in `heap_profile` events, and shows none.",
    .example = "an event called `heap_profile` with allocators in its `args`",
    .advice = "Run heapcheck convert --to heaps-v2, which writes memory dumps.",
    .anchor = "readers.md#catapult", .since = "0.1"};
inline constexpr Rule catapult_parent_id{
    .id = "heaps2.catapult.parent-id", .severity = Severity::warning, .stage = Stage::check,
    .title = "the parent of a node is in its member `parent`",
    .reason = "Catapult does not read `parent_id`, and treats each such node as the root of a stack.",
    .example = "{\"id\":4,\"name_sid\":3,\"parent_id\":2}",
    .advice = "Run heapcheck convert --to heaps-v2, which writes the usual name.",
    .anchor = "readers.md#catapult", .since = "0.1"};
inline constexpr Rule catapult_hierarchy{
    .id = "legacy.catapult.hierarchy", .severity = Severity::error, .stage = Stage::check,
    .title = "stack frames are members with `name` and `parent`",
    .reason = "Catapult looks for the name of the frame `hierarchy`, finds none, and imports nothing from the trace.",
    .example = "\"stackFrames\":{\"hierarchy\":{\"0\":{\"bt\":\"0\"}},\"names\":[\"main\"]}",
    .advice = "Run heapcheck convert --to chrome-legacy, which writes frames with names and parents.",
    .anchor = "readers.md#catapult", .since = "0.1"};
inline constexpr Rule catapult_rows{
    .id = "heaps2.catapult.rows", .severity = Severity::error, .stage = Stage::check,
    .title = "the rows of an allocator are written as columns",
    .reason = "Catapult looks for the columns, finds none, and imports nothing from the trace.",
    .example = "\"nodes\":[{\"node\":2,\"type\":1,\"count\":2,\"size\":48}]",
    .advice = "Run heapcheck convert --to heaps-v2, which writes columns.",
    .anchor = "readers.md#catapult", .since = "0.1"};
inline constexpr std::array all{&moar_ha_name, &moar_ha_size, &moar_ha_version2, &comma_entry_size, &comma_size, &moarperf_size, &moarperf_unfinished, &speedscope_flat_frame, &speedscope_depth, &speedscope_dumps, &perfetto_dumps, &perfetto_byte_order_mark, &catapult_json_string, &catapult_columns, &catapult_heap_profile, &catapult_hierarchy, &catapult_parent_id, &catapult_rows};
// clang-format on

}  // namespace heapcheck::validation::rules
