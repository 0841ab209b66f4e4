// Rules over what was read of the `heaps_v2` objects of a trace.
#pragma once

#include <array>

#include "heapcheck/finding.hpp"

namespace heapcheck::validation::chrome::heaps_v2::rules {

// One line a member, however long.
// clang-format off
inline constexpr Rule columns_length{
    .id = "heaps2.columns.length", .severity = Severity::error, .stage = Stage::check,
    .title = "the columns of an allocator are equally long",
    .reason = "An element is lost, so those behind it belong to other rows.",
    .anchor = "chrome/heaps_v2.md#columns", .since = "0.1"};
inline constexpr Rule columns_missing{
    .id = "heaps2.columns.missing", .severity = Severity::error, .stage = Stage::check,
    .title = "an allocator that has rows has all four columns",
    .reason = "Chrome's trace viewer gives up the whole trace, or shows no numbers.",
    .anchor = "chrome/heaps_v2.md#columns", .since = "0.1"};
inline constexpr Rule columns_sum{
    .id = "heaps2.columns.sum", .severity = Severity::error, .stage = Stage::check,
    .title = "the counts and the sizes of an allocator each add up to less than 2^64",
    .reason = "Sums that readers show wrap around, or lose their last digits.",
    .anchor = "chrome/heaps_v2.md#numbers", .since = "0.1"};
inline constexpr Rule dump_shared_id{
    .id = "heaps2.dump.shared-id", .severity = Severity::note, .stage = Stage::check,
    .title = "one event of a process and dump id carries heaps",
    .reason = "Chrome 120 gives the dumps of all processes the browser's pid. Chrome's trace viewer shows the first one.",
    .anchor = "chrome/heaps_v2.md#dumps", .since = "0.1"};
inline constexpr Rule rows_dangling_node{
    .id = "heaps2.rows.dangling-node", .severity = Severity::error, .stage = Stage::check,
    .title = "the node of a row is in the maps",
    .reason = "Chrome's trace viewer shows such memory as one frame `<self>` beside the stacks.",
    .anchor = "chrome/heaps_v2.md#rows", .since = "0.1"};
inline constexpr Rule rows_dangling_type{
    .id = "heaps2.rows.dangling-type", .severity = Severity::error, .stage = Stage::check,
    .title = "the type of a row is in the maps",
    .reason = "Chrome's trace viewer gives up the whole trace.",
    .anchor = "chrome/heaps_v2.md#rows", .since = "0.1"};
inline constexpr Rule rows_duplicate{
    .id = "heaps2.rows.duplicate", .severity = Severity::note, .stage = Stage::check,
    .title = "an allocator has one row for each node and type",
    .reason = "Chrome 62 has a row for each size too; readers add them up.",
    .anchor = "chrome/heaps_v2.md#rows", .since = "0.1"};
inline constexpr Rule rows_no_stack{
    .id = "heaps2.rows.no-stack", .severity = Severity::note, .stage = Stage::check,
    .title = "a row without a stack has a node id that no node has, 0 for instance",
    .reason = "Chrome's profiling service writes -1, or that as an unsigned number; readers show such memory at a root of its own.",
    .anchor = "chrome/heaps_v2.md#rows", .since = "0.1"};
inline constexpr Rule total_above{
    .id = "heaps2.total.above", .severity = Severity::warning, .stage = Stage::check,
    .title = "the sizes of an allocator add up to no more than the total beside them",
    .reason = "Two figures agree that it is less, so a size has changed or rows were added.",
    .anchor = "chrome/heaps_v2.md#totals", .since = "0.1"};
inline constexpr Rule total_below{
    .id = "heaps2.total.below", .severity = Severity::note, .stage = Stage::check,
    .title = "the sizes of an allocator add up to the total beside them",
    .reason = "The writer left small allocations out, as Chrome 64 may, or rows are lost.",
    .anchor = "chrome/heaps_v2.md#totals", .since = "0.1"};
inline constexpr Rule version_missing{
    .id = "heaps2.version.missing", .severity = Severity::error, .stage = Stage::check,
    .title = "a `heaps_v2` object says its version",
    .reason = "Chrome's trace viewer gives up the whole trace without it.",
    .anchor = "chrome/heaps_v2.md#object", .since = "0.1"};
inline constexpr Rule version_unknown{
    .id = "heaps2.version.unknown", .severity = Severity::error, .stage = Stage::check,
    .title = "the version is 1",
    .reason = "No other was ever written; Chrome's trace viewer reads any as if it were 1.",
    .anchor = "chrome/heaps_v2.md#object", .since = "0.1"};
inline constexpr std::array all{&columns_length, &columns_missing, &columns_sum, &dump_shared_id, &rows_dangling_node, &rows_dangling_type, &rows_duplicate, &rows_no_stack, &total_above, &total_below, &version_missing, &version_unknown};
// clang-format on

}  // namespace heapcheck::validation::chrome::heaps_v2::rules
