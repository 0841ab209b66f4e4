// The rules that are checked while reading a `heaps_v2` object. They concern values of the wrong type and
// forms that only some readers accept. The rules for the model that was read are in validate/chrome/heaps_v2.
#pragma once

#include <array>

#include "heapcheck/types/finding.hpp"

namespace heapcheck::chrome::heaps_v2::rules {

// One line per member, however long.
// clang-format off
inline constexpr Rule columns_renamed{
    .id = "heaps2.columns.renamed", .severity = Severity::note, .stage = Stage::read,
    .title = "the columns of an allocator are called `counts` and `sizes`",
    .reason = "Cobalt's tools also read `objects` and `bytes`; Chrome's trace viewer (Catapult) shows no numbers for such columns.",
    .example = "\"malloc\":{\"nodes\":[1],\"types\":[0],\"objects\":[2],\"bytes\":[16]}",
    .advice = "Run heapcheck convert --to heaps-v2 to write the usual names. If you write such files, call the columns counts and sizes.",
    .anchor = "chrome/heaps_v2.md#columns", .since = "0.1"};
inline constexpr Rule event_heap_profile{
    .id = "heaps2.event.heap-profile", .severity = Severity::note, .stage = Stage::read,
    .title = "heaps are in `args.dumps.heaps_v2` of a memory dump",
    .reason = "The `heap_profile` event was proposed, but no release wrote it, and Chrome's trace viewer (Catapult) does not read it.",
    .example = "{\"ph\":\"P\",\"name\":\"heap_profile\",\"args\":{\"data\":{\"malloc\":{\"nodes\":[]},\"maps\":{}}}}",
    .advice = "Run heapcheck convert --to heaps-v2 to turn each such event into a memory dump. If you write such files, write memory dumps.",
    .anchor = "chrome/heaps_v2.md#proposal", .since = "0.1"};
inline constexpr Rule maps_member{
    .id = "heaps2.maps.member", .severity = Severity::error, .stage = Stage::read,
    .title = "a row of a map has an id and a name",
    .reason = "Chrome's trace viewer (Catapult) cannot import the trace if an id is missing, and shows a frame without a name if a name is missing.",
    .example = "\"nodes\":[{\"id\":5}] has a node without \"name_sid\"",
    .advice = "The row cannot be repaired without knowing what was lost, so record the trace again. If you write such files, write both members of every row.",
    .anchor = "chrome/heaps_v2.md#maps", .since = "0.1"};
inline constexpr Rule maps_parent_id{
    .id = "heaps2.maps.parent-id", .severity = Severity::note, .stage = Stage::read,
    .title = "the parent of a node is in its member `parent`",
    .reason = "Cobalt's tools also read `parent_id`; in Chrome's trace viewer (Catapult) each such node is the root of a stack.",
    .example = "{\"id\":6,\"name_sid\":5,\"parent_id\":4}",
    .advice = "Run heapcheck convert --to heaps-v2 to write the usual name. If you write such files, call the member parent.",
    .anchor = "chrome/heaps_v2.md#maps", .since = "0.1"};
inline constexpr Rule rows_objects{
    .id = "heaps2.rows.objects", .severity = Severity::note, .stage = Stage::read,
    .title = "the rows of an allocator are written as columns",
    .reason = "Cobalt's tools also read rows that are objects; Chrome's trace viewer (Catapult) does not show them.",
    .example = "\"malloc\":{\"nodes\":[{\"node\":1,\"type\":0,\"count\":2,\"size\":16}]}",
    .advice = "Run heapcheck convert --to heaps-v2 to write columns. If you write such files, write the four arrays nodes, types, counts and sizes.",
    .anchor = "chrome/heaps_v2.md#columns", .since = "0.1"};
inline constexpr Rule value_fraction{
    .id = "heaps2.value.fraction", .severity = Severity::warning, .stage = Stage::read,
    .title = "an integer has neither a fraction nor an exponent",
    .reason = "Readers in JavaScript see the same number; readers that expect an integer reject it.",
    .example = "\"sizes\":[1024.0]",
    .advice = "Run heapcheck convert --to heaps-v2 to write plain digits. If you write such files, do not write floating-point numbers into the columns.",
    .anchor = "chrome/heaps_v2.md#numbers", .since = "0.1"};
inline constexpr Rule value_integer{
    .id = "heaps2.value.integer", .severity = Severity::error, .stage = Stage::read,
    .title = "ids, counts and sizes are integers from 0 to 2^64 - 1",
    .reason = "Readers reject the number, round it, or show memory that never existed.",
    .example = "\"sizes\":[-16] or \"counts\":[2.5]",
    .advice = "The true value is lost, so record the trace again. If you write such files, keep ids, counts and sizes in unsigned 64-bit integers.",
    .anchor = "chrome/heaps_v2.md#numbers", .since = "0.1"};
inline constexpr Rule value_type{
    .id = "heaps2.value.type", .severity = Severity::error, .stage = Stage::read,
    .title = "each value has the JSON type that the specification states for it",
    .reason = "Chrome's trace viewer (Catapult) cannot import the trace, or concatenates strings where it should add numbers.",
    .example = "\"sizes\":[\"16\"] has a string where a number belongs",
    .advice = "Change the value by hand if its meaning is clear. If you write such files, compare your writer with the table of members in the specification.",
    .anchor = "chrome/heaps_v2.md#object", .since = "0.1"};
inline constexpr std::array faults{&columns_renamed, &event_heap_profile, &maps_member, &maps_parent_id, &rows_objects, &value_fraction, &value_integer, &value_type};
// clang-format on

}  // namespace heapcheck::chrome::heaps_v2::rules
