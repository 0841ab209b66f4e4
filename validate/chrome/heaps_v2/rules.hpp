// Rules for the `heaps_v2` objects in a trace, applied once the trace has been read.
#pragma once

#include <array>
#include <set>
#include <vector>

#include "formats/core/finding_sink.hpp"
#include "heapcheck/types/finding.hpp"
#include "validate/chrome/heaps_v2/places.hpp"

namespace heapcheck::validation::chrome::heaps_v2::rules {

// One line per member, however long.
// clang-format off
inline constexpr Rule columns_length{
    .id = "heaps2.columns.length", .severity = Severity::error, .stage = Stage::check,
    .title = "the columns of an allocator have the same length",
    .reason = "An element is lost, so the elements after it belong to other rows, and nothing shows which ones.",
    .example = "\"nodes\":[1,2,3],\"types\":[0,0],\"counts\":[1,1,1],\"sizes\":[8,8,8] lacks a type",
    .advice = "Do not trust the numbers of this allocator; other allocators are not affected. If you write such files, append to all four columns at once.",
    .anchor = "chrome/heaps_v2.md#columns", .since = "0.1"};
inline constexpr Rule columns_missing{
    .id = "heaps2.columns.missing", .severity = Severity::error, .stage = Stage::check,
    .title = "an allocator with rows has all four columns",
    .reason = "Chrome's trace viewer (Catapult) cannot import the trace without the types, and shows no numbers without the others.",
    .example = "\"malloc\":{\"nodes\":[1],\"types\":[0],\"sizes\":[16]} has no counts",
    .advice = "Record the trace again, as the missing numbers cannot be worked out. If you write such files, write all four columns or none.",
    .anchor = "chrome/heaps_v2.md#columns", .since = "0.1"};
inline constexpr Rule columns_sum{
    .id = "heaps2.columns.sum", .severity = Severity::error, .stage = Stage::check,
    .title = "the counts and the sizes of an allocator each add up to less than 2^64",
    .reason = "The sums that readers show wrap around or lose their last digits.",
    .example = "\"sizes\":[18446744073709551615,1] adds up to 2^64",
    .advice = "At least one value is wrong, as no process has that much memory: look for the largest one. If you write such files, check for subtractions of unsigned numbers that go below zero.",
    .anchor = "chrome/heaps_v2.md#numbers", .since = "0.1"};
inline constexpr Rule dump_shared_id{
    .id = "heaps2.dump.shared-id", .severity = Severity::note, .stage = Stage::check,
    .title = "for each process and dump id, only one event carries heaps",
    .reason = "Chrome 120 exports the dumps of all processes with the browser's process id. Chrome's trace viewer (Catapult) shows only the first of them.",
    .example = "two events with \"pid\":7,\"id\":\"0x3\", each with a \"heaps_v2\"",
    .advice = "heapcheck keeps all of them, so conversion loses nothing. If you write such files, give each event the id of the process it describes.",
    .anchor = "chrome/heaps_v2.md#dumps", .since = "0.1"};
inline constexpr Rule dump_twice{
    .id = "heaps2.dump.twice", .severity = Severity::warning, .stage = Stage::check,
    .title = "each dump occurs only once in the trace",
    .reason = "No two dumps of a process have the same rows and maps, so an event was copied, and readers count its memory twice.",
    .example = "two events with \"pid\":7,\"id\":\"0x3\" and the same \"heaps_v2\"",
    .advice = "Remove one of the two events. If you merge traces, do not add the same file twice.",
    .anchor = "chrome/heaps_v2.md#dumps", .since = "0.1"};
inline constexpr Rule rows_count{
    .id = "heaps2.rows.count", .severity = Severity::warning, .stage = Stage::check,
    .title = "no row has more objects than bytes",
    .reason = "An object takes up at least one byte, so a count or a size was changed.",
    .example = "\"counts\":[100],\"sizes\":[16]",
    .advice = "Do not trust the counts of this allocator. If you write such files, check that counts and sizes are not swapped.",
    .anchor = "chrome/heaps_v2.md#rows", .since = "0.1"};
inline constexpr Rule rows_dangling_node{
    .id = "heaps2.rows.dangling-node", .severity = Severity::error, .stage = Stage::check,
    .title = "the node of a row is in the maps",
    .reason = "Chrome's trace viewer (Catapult) shows such memory as a single frame `<self>` next to all stacks.",
    .example = "\"nodes\":[8] in a dump whose map of nodes has ids 4 and 6",
    .advice = "Treat the stack of this memory as unknown. If you write such files, write a node to the maps before any row refers to it.",
    .anchor = "chrome/heaps_v2.md#rows", .since = "0.1"};
inline constexpr Rule rows_dangling_type{
    .id = "heaps2.rows.dangling-type", .severity = Severity::error, .stage = Stage::check,
    .title = "the type of a row is in the maps",
    .reason = "Chrome's trace viewer (Catapult) cannot import the trace.",
    .example = "\"types\":[2] in a dump whose map of types has ids 0 and 1",
    .advice = "Add a type with this id to the maps to be able to open the trace. If you write such files, write a type to the maps before any row refers to it.",
    .anchor = "chrome/heaps_v2.md#rows", .since = "0.1"};
inline constexpr Rule rows_duplicate{
    .id = "heaps2.rows.duplicate", .severity = Severity::note, .stage = Stage::check,
    .title = "an allocator has one row for each node and type",
    .reason = "Chrome 62 also writes a separate row for each object size. Readers add up the values of these rows.",
    .example = "\"nodes\":[4,4],\"types\":[1,1],\"counts\":[2,3],\"sizes\":[16,96] has two rows for node 4 and type 1",
    .advice = "Run heapcheck convert --to heaps-v2 to add up these rows. If you write such files, add up rows with the same node and type first.",
    .anchor = "chrome/heaps_v2.md#rows", .since = "0.1"};
inline constexpr Rule rows_no_stack{
    .id = "heaps2.rows.no-stack", .severity = Severity::note, .stage = Stage::check,
    .title = "memory without a stack has the node id 0",
    .reason = "Chrome's profiling service writes -1, or the unsigned number with the same bits; readers show such memory under a separate root.",
    .example = "\"nodes\":[-1,4]",
    .advice = "Nothing needs to be done; heapcheck convert --to heaps-v2 writes 0 instead. If you write such files, use node 0, and do not give this id to any node.",
    .anchor = "chrome/heaps_v2.md#rows", .since = "0.1"};
inline constexpr Rule total_above{
    .id = "heaps2.total.above", .severity = Severity::warning, .stage = Stage::check,
    .title = "the sizes of an allocator do not add up to more than its total",
    .reason = "Two other figures agree on a lower total, so a size was changed or a row was added.",
    .example = "\"sizes\":[16,32] where the allocator's two totals are both \"20\" (32 bytes)",
    .advice = "Do not trust the sizes of this allocator. If you write such files, take the total and the rows from the same snapshot of the heap.",
    .anchor = "chrome/heaps_v2.md#totals", .since = "0.1"};
inline constexpr Rule total_below{
    .id = "heaps2.total.below", .severity = Severity::note, .stage = Stage::check,
    .title = "the sizes of an allocator add up to its total",
    .reason = "The writer left small allocations out, as Chrome 64 may, or rows were lost.",
    .example = "\"sizes\":[16] where the allocator's two totals are both \"20\" (32 bytes)",
    .advice = "Expect part of the memory to be missing from the stacks. If you write such files and leave nothing out, check that no row is lost.",
    .anchor = "chrome/heaps_v2.md#totals", .since = "0.1"};
inline constexpr Rule total_differs{
    .id = "heaps2.total.differs", .severity = Severity::warning, .stage = Stage::check,
    .title = "the two totals of an allocator are the sum of its sizes",
    .reason = "The other figures agree, so this one was changed, and readers show a wrong total.",
    .example = "\"sizes\":[32] with the size \"200\" and the size of the allocated objects \"20\" (32 bytes)",
    .advice = "Trust the sizes of the rows rather than the total. If you write such files, write the same total twice.",
    .anchor = "chrome/heaps_v2.md#totals", .since = "0.1"};
inline constexpr Rule total_lost_rows{
    .id = "heaps2.total.lost-rows", .severity = Severity::warning, .stage = Stage::check,
    .title = "if an allocator has small rows, its sizes add up to its total",
    .reason = "Writers that leave rows out leave out the small ones, so a row was lost or a size was changed.",
    .example = "\"sizes\":[16] where the allocator's two totals are both \"20\" (32 bytes)",
    .advice = "Expect part of the memory to be missing from the stacks. If you write such files, write all rows, or leave out the smallest ones.",
    .anchor = "chrome/heaps_v2.md#totals", .since = "0.1"};
inline constexpr Rule total_missing{
    .id = "heaps2.total.missing", .severity = Severity::warning, .stage = Stage::check,
    .title = "if one dump of a process has totals, every dump has them",
    .reason = "Chrome's trace viewer (Catapult) does not show the heap of an allocator without a total.",
    .example = "two dumps of a process with a \"malloc\" in \"heaps_v2\", and only one with a \"malloc\" in \"allocators\"",
    .advice = "Run heapcheck convert --to heaps-v2 to add the total. If you write such files, write the total of every allocator.",
    .anchor = "chrome/heaps_v2.md#totals", .since = "0.1"};
inline constexpr Rule total_no_heap{
    .id = "heaps2.total.no-heap", .severity = Severity::warning, .stage = Stage::check,
    .title = "an allocator with a total has a heap",
    .reason = "The profiler counted the memory of the allocator, so its rows were lost.",
    .example = "\"allocators\":{\"malloc\":{\"attrs\":{\"size\":{\"units\":\"bytes\",\"value\":\"20\"}}}} without a \"malloc\" in \"heaps_v2\"",
    .advice = "Expect the memory of this allocator to be missing. If you write such files, write the rows of every allocator.",
    .anchor = "chrome/heaps_v2.md#totals", .since = "0.1"};
inline constexpr Rule version_missing{
    .id = "heaps2.version.missing", .severity = Severity::error, .stage = Stage::check,
    .title = "a `heaps_v2` object states its version",
    .reason = "Chrome's trace viewer (Catapult) cannot import the trace without it.",
    .example = "\"heaps_v2\":{\"allocators\":{},\"maps\":{}}",
    .advice = "Add \"version\":1 to the object. If you write such files, write the version into every dump.",
    .anchor = "chrome/heaps_v2.md#object", .since = "0.1"};
inline constexpr Rule version_unknown{
    .id = "heaps2.version.unknown", .severity = Severity::error, .stage = Stage::check,
    .title = "the version is 1",
    .reason = "No other version was ever written, and Chrome's trace viewer (Catapult) reads any version as if it were 1.",
    .example = "\"heaps_v2\":{\"version\":2}",
    .advice = "Find out which program wrote the file, as its dumps may have a different meaning. If you write such files, write 1.",
    .anchor = "chrome/heaps_v2.md#object", .since = "0.1"};
inline constexpr std::array all{&columns_length, &columns_missing, &columns_sum, &dump_shared_id, &dump_twice, &rows_count, &rows_dangling_node, &rows_dangling_type, &rows_duplicate, &rows_no_stack, &total_above, &total_below, &total_differs, &total_lost_rows, &total_missing, &total_no_heap, &version_missing, &version_unknown};
// clang-format on

}  // namespace heapcheck::validation::chrome::heaps_v2::rules

namespace heapcheck::validation::chrome::heaps_v2 {

using heapcheck::chrome::heaps_v2::map_count;
using heapcheck::chrome::heaps_v2::Model;
using heapcheck::chrome::heaps_v2::Scope;

// Rules for the columns of one allocator, and for its totals in the same event.

/// heaps2.columns.missing, heaps2.columns.length. Returns whether the columns form rows.
bool check_columns(const Dump& dump, const Heap& heap, core::FindingSink& sink);

/// heaps2.columns.sum, heaps2.rows.count, and check_total(); the columns must form rows.
void check_sums(const Dump& dump, const Heap& heap, core::FindingSink& sink);

/// heaps2.rows.duplicate, heaps2.rows.no-stack; `dump` is the current dump of `scope`.
void check_rows(const Dump& dump, const Heap& heap, const Scope& scope, core::FindingSink& sink);

// Rules for ids that have no definition. A row that is missing from a map is reported only once, no matter
// how many other rows and dumps refer to it.

/// The state of a process's maps after the dumps checked so far.
struct History {
  /// Whether rows of the current dump, or of an earlier one, were unreadable or had ambiguous ids. A missing
  /// id may then belong to one of these rows.
  std::array<bool, map_count> is_broken{};
  std::array<bool, map_count> was_broken{};
  /// Ids that have been reported as missing.
  std::array<std::set<std::uint64_t>, map_count> missing;
};

/// heaps2.maps.missing, heaps2.maps.dangling-*, heaps2.rows.dangling-* for the current dump of `scope`.
/// `usable` indicates for each heap whether its rows are usable. Returns false if so many ids are missing
/// that the rows may belong to another dump.
bool check_references(const Dump& dump, const Scope& scope, const std::vector<bool>& usable, History& history,
                      core::FindingSink& sink);

// Rules for the totals of allocators, which an event contains alongside its heaps. spec:
// chrome/heaps_v2.md#totals

/// Compares the sum of the sizes of `heap` with its total: heaps2.total.above, heaps2.total.below,
/// heaps2.total.lost-rows, heaps2.total.differs.
void check_total(const Dump& dump, const Heap& heap, std::uint64_t sum, core::FindingSink& sink);

/// heaps2.total.no-heap: a total without a heap, in a process whose writer omits no rows. `dumps` contains
/// the indices of the dumps of one process.
void check_lost_heaps(const Model& model, const std::vector<std::uint32_t>& dumps, core::FindingSink& sink);

/// heaps2.total.missing: a heap without a total, although other dumps of the process have totals.
void check_missing_totals(const Model& model, const std::vector<std::uint32_t>& dumps,
                          core::FindingSink& sink);

/// Returns whether the figures of the event confirm the sum of the sizes of `heap`.
[[nodiscard]] bool is_confirmed(const Dump& dump, const Heap& heap, std::uint64_t sum);

// Finds dumps that appear in the trace twice. spec: chrome/heaps_v2.md#dumps

/// heaps2.dump.twice: two dumps with the same process and dump id that have the same rows and maps. `dumps`
/// contains the indices of the dumps of one process. Returns the dumps that are not copies.
std::vector<std::uint32_t> check_twice(const heapcheck::chrome::heaps_v2::Model& model,
                                       const std::vector<std::uint32_t>& dumps, core::FindingSink& sink);

}  // namespace heapcheck::validation::chrome::heaps_v2
