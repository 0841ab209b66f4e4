// Rules over what was read of the `heaps_v2` objects of a trace.
#pragma once

#include "heapcheck/finding.hpp"

namespace heapcheck::validation::chrome::heaps_v2::rules {

inline constexpr Rule columns_length{"heaps2.columns.length",
                                     Severity::error,
                                     Stage::check,
                                     "the columns of an allocator are equally long",
                                     "An element is lost, so those behind it belong to other rows.",
                                     "chrome/heaps_v2.md#columns",
                                     "0.1"};
inline constexpr Rule columns_missing{"heaps2.columns.missing",
                                      Severity::error,
                                      Stage::check,
                                      "an allocator that has rows has all four columns",
                                      "Chrome's trace viewer gives up the whole trace, or shows no numbers.",
                                      "chrome/heaps_v2.md#columns",
                                      "0.1"};
inline constexpr Rule columns_sum{"heaps2.columns.sum",
                                  Severity::error,
                                  Stage::check,
                                  "the counts and the sizes of an allocator each add up to less than 2^64",
                                  "Sums that readers show wrap around, or lose their last digits.",
                                  "chrome/heaps_v2.md#numbers",
                                  "0.1"};
inline constexpr Rule dump_shared_id{"heaps2.dump.shared-id",
                                     Severity::note,
                                     Stage::check,
                                     "one event of a process and dump id carries heaps",
                                     "Chrome 120 gives the dumps of all processes the browser's pid. "
                                     "Chrome's trace viewer shows the first one.",
                                     "chrome/heaps_v2.md#dumps",
                                     "0.1"};
inline constexpr Rule maps_cycle{"heaps2.maps.cycle",
                                 Severity::error,
                                 Stage::check,
                                 "following the parents of a node comes to an end",
                                 "Readers that walk up to the root of a stack never get there.",
                                 "chrome/heaps_v2.md#nodes",
                                 "0.1"};
inline constexpr Rule maps_dangling_parent{
    "heaps2.maps.dangling-parent",
    Severity::error,
    Stage::check,
    "the parent of a node is a node",
    "Chrome's trace viewer warns and takes the node for the root of a stack.",
    "chrome/heaps_v2.md#nodes",
    "0.1"};
inline constexpr Rule maps_dangling_string{
    "heaps2.maps.dangling-string",
    Severity::error,
    Stage::check,
    "the name of a node or type is a string",
    "Chrome's trace viewer shows a frame without a name, and gives up the whole trace for a type.",
    "chrome/heaps_v2.md#maps",
    "0.1"};
inline constexpr Rule maps_duplicate_id{
    "heaps2.maps.duplicate-id",
    Severity::error,
    Stage::check,
    "an id is defined once in a map",
    "Most readers take the last row with it, some the first; what belongs to the other gets a wrong name.",
    "chrome/heaps_v2.md#maps",
    "0.1"};
inline constexpr Rule maps_id_range{"heaps2.maps.id-range",
                                    Severity::error,
                                    Stage::check,
                                    "ids are at most 2^53",
                                    "Readers that keep numbers as doubles take two ids for the same.",
                                    "chrome/heaps_v2.md#numbers",
                                    "0.1"};
inline constexpr Rule maps_missing{
    "heaps2.maps.missing",
    Severity::error,
    Stage::check,
    "a dump has the maps that it refers to, or an earlier one of the process has",
    "Chrome's trace viewer gives up the whole trace without types, and shows no stacks without nodes.",
    "chrome/heaps_v2.md#maps",
    "0.1"};
inline constexpr Rule maps_redefined{
    "heaps2.maps.redefined",
    Severity::warning,
    Stage::check,
    "a dump that adds to earlier maps gives no id a second meaning",
    "Chrome's trace viewer keeps the first frame but the last type, so stacks get wrong names.",
    "chrome/heaps_v2.md#resolving",
    "0.1"};
inline constexpr Rule rows_dangling_node{
    "heaps2.rows.dangling-node",
    Severity::error,
    Stage::check,
    "the node of a row is in the maps",
    "Chrome's trace viewer shows such memory as one frame `<self>` beside the stacks.",
    "chrome/heaps_v2.md#rows",
    "0.1"};
inline constexpr Rule rows_dangling_type{"heaps2.rows.dangling-type",
                                         Severity::error,
                                         Stage::check,
                                         "the type of a row is in the maps",
                                         "Chrome's trace viewer gives up the whole trace.",
                                         "chrome/heaps_v2.md#rows",
                                         "0.1"};
inline constexpr Rule rows_duplicate{"heaps2.rows.duplicate",
                                     Severity::note,
                                     Stage::check,
                                     "an allocator has one row for each node and type",
                                     "Chrome 62 has a row for each size too; readers add them up.",
                                     "chrome/heaps_v2.md#rows",
                                     "0.1"};
inline constexpr Rule rows_no_stack{
    "heaps2.rows.no-stack",
    Severity::note,
    Stage::check,
    "a row without a stack has a node id that no node has, 0 for instance",
    "Chrome's profiling service writes -1, or that as an unsigned number; readers show such memory at a "
    "root of its own.",
    "chrome/heaps_v2.md#rows",
    "0.1"};
inline constexpr Rule total_above{
    "heaps2.total.above",
    Severity::warning,
    Stage::check,
    "the sizes of an allocator add up to no more than the total beside them",
    "Two figures agree that it is less, so a size has changed or rows were added.",
    "chrome/heaps_v2.md#totals",
    "0.1"};
inline constexpr Rule total_below{
    "heaps2.total.below",
    Severity::note,
    Stage::check,
    "the sizes of an allocator add up to the total beside them",
    "The writer left small allocations out, as Chrome 64 may, or rows are lost.",
    "chrome/heaps_v2.md#totals",
    "0.1"};
inline constexpr Rule version_missing{"heaps2.version.missing",
                                      Severity::error,
                                      Stage::check,
                                      "a `heaps_v2` object says its version",
                                      "Chrome's trace viewer gives up the whole trace without it.",
                                      "chrome/heaps_v2.md#object",
                                      "0.1"};
inline constexpr Rule version_unknown{
    "heaps2.version.unknown",
    Severity::error,
    Stage::check,
    "the version is 1",
    "No other was ever written; Chrome's trace viewer reads any as if it were 1.",
    "chrome/heaps_v2.md#object",
    "0.1"};

}  // namespace heapcheck::validation::chrome::heaps_v2::rules
