// The rules that reading a `heaps_v2` object raises: values that are not of the kind their place asks
// for, and forms that only some readers take. Rules over what was read stand in validate/chrome/heaps_v2.
#pragma once

#include <array>

#include "heapcheck/finding.hpp"

namespace heapcheck::chrome::heaps_v2::rules {

// One line a member, however long.
// clang-format off
inline constexpr Rule columns_renamed{
    .id = "heaps2.columns.renamed", .severity = Severity::note, .stage = Stage::read,
    .title = "the columns are called `counts` and `sizes`",
    .reason = "Cobalt's tools also read `objects` and `bytes`; Chrome's trace viewer shows no sizes then.",
    .anchor = "chrome/heaps_v2.md#columns", .since = "0.1"};
inline constexpr Rule event_heap_profile{
    .id = "heaps2.event.heap-profile", .severity = Severity::note, .stage = Stage::read,
    .title = "heaps stand in `args.dumps.heaps_v2` of a dump event",
    .reason = "The event `heap_profile` was a proposal that no release wrote; Chrome's trace viewer does not read it.",
    .anchor = "chrome/heaps_v2.md#proposal", .since = "0.1"};
inline constexpr Rule maps_member{
    .id = "heaps2.maps.member", .severity = Severity::error, .stage = Stage::read,
    .title = "a row of a map has an id and a name",
    .reason = "Chrome's trace viewer gives up the whole trace where an id is missing, and shows frames without names.",
    .anchor = "chrome/heaps_v2.md#maps", .since = "0.1"};
inline constexpr Rule maps_parent_id{
    .id = "heaps2.maps.parent-id", .severity = Severity::note, .stage = Stage::read,
    .title = "a node names its parent in `parent`",
    .reason = "Cobalt's tools also read `parent_id`; in Chrome's trace viewer each such node is the root of a stack.",
    .anchor = "chrome/heaps_v2.md#maps", .since = "0.1"};
inline constexpr Rule rows_objects{
    .id = "heaps2.rows.objects", .severity = Severity::note, .stage = Stage::read,
    .title = "the rows of an allocator are columns",
    .reason = "Cobalt's tools also read an object for each row; Chrome's trace viewer shows nothing of it.",
    .anchor = "chrome/heaps_v2.md#columns", .since = "0.1"};
inline constexpr Rule value_fraction{
    .id = "heaps2.value.fraction", .severity = Severity::warning, .stage = Stage::read,
    .title = "an integer is written without fraction and exponent",
    .reason = "Readers in JavaScript see the same number; those that ask for an integer refuse it.",
    .anchor = "chrome/heaps_v2.md#numbers", .since = "0.1"};
inline constexpr Rule value_integer{
    .id = "heaps2.value.integer", .severity = Severity::error, .stage = Stage::read,
    .title = "ids, counts and sizes are integers from 0 to 2^64 - 1",
    .reason = "Readers refuse the number, round it, or show memory that was never there.",
    .anchor = "chrome/heaps_v2.md#numbers", .since = "0.1"};
inline constexpr Rule value_type{
    .id = "heaps2.value.type", .severity = Severity::error, .stage = Stage::read,
    .title = "each value is of the JSON type that its place asks for",
    .reason = "Chrome's trace viewer gives up the whole trace, or adds texts where it should add numbers.",
    .anchor = "chrome/heaps_v2.md#object", .since = "0.1"};
inline constexpr std::array faults{&columns_renamed, &event_heap_profile, &maps_member, &maps_parent_id, &rows_objects, &value_fraction, &value_integer, &value_type};
// clang-format on

}  // namespace heapcheck::chrome::heaps_v2::rules
