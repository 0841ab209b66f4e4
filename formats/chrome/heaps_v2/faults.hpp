// The rules that reading a `heaps_v2` object raises: values that are not of the kind their place asks
// for, and forms that only some readers take. Rules over what was read stand in validate/chrome/heaps_v2.
#pragma once

#include "heapcheck/finding.hpp"

namespace heapcheck::chrome::heaps_v2::rules {

inline constexpr Rule columns_renamed{
    "heaps2.columns.renamed",
    Severity::note,
    Stage::read,
    "the columns are called `counts` and `sizes`",
    "Cobalt's tools also read `objects` and `bytes`; Chrome's trace viewer shows no sizes then.",
    "chrome/heaps_v2.md#columns",
    "0.1"};
inline constexpr Rule event_heap_profile{
    "heaps2.event.heap-profile",
    Severity::note,
    Stage::read,
    "heaps stand in `args.dumps.heaps_v2` of a dump event",
    "The event `heap_profile` was a proposal that no release wrote; Chrome's trace viewer does not read it.",
    "chrome/heaps_v2.md#proposal",
    "0.1"};
inline constexpr Rule maps_member{
    "heaps2.maps.member",
    Severity::error,
    Stage::read,
    "a row of a map has an id and a name",
    "Chrome's trace viewer gives up the whole trace where an id is missing, and shows frames without names.",
    "chrome/heaps_v2.md#maps",
    "0.1"};
inline constexpr Rule maps_parent_id{
    "heaps2.maps.parent-id",
    Severity::note,
    Stage::read,
    "a node names its parent in `parent`",
    "Cobalt's tools also read `parent_id`; in Chrome's trace viewer each such node is the root of a stack.",
    "chrome/heaps_v2.md#maps",
    "0.1"};
inline constexpr Rule rows_objects{
    "heaps2.rows.objects",
    Severity::note,
    Stage::read,
    "the rows of an allocator are columns",
    "Cobalt's tools also read an object for each row; Chrome's trace viewer shows nothing of it.",
    "chrome/heaps_v2.md#columns",
    "0.1"};
inline constexpr Rule value_fraction{
    "heaps2.value.fraction",
    Severity::warning,
    Stage::read,
    "an integer is written without fraction and exponent",
    "Readers in JavaScript see the same number; those that ask for an integer refuse it.",
    "chrome/heaps_v2.md#numbers",
    "0.1"};
inline constexpr Rule value_integer{
    "heaps2.value.integer",
    Severity::error,
    Stage::read,
    "ids, counts and sizes are integers from 0 to 2^64 - 1",
    "Readers refuse the number, round it, or show memory that was never there.",
    "chrome/heaps_v2.md#numbers",
    "0.1"};
inline constexpr Rule value_type{
    "heaps2.value.type",
    Severity::error,
    Stage::read,
    "each value is of the JSON type that its place asks for",
    "Chrome's trace viewer gives up the whole trace, or adds texts where it should add numbers.",
    "chrome/heaps_v2.md#object",
    "0.1"};

}  // namespace heapcheck::chrome::heaps_v2::rules
