// Rules for the maps of a process's current dump.
#pragma once

#include <array>

#include "formats/core/finding_sink.hpp"
#include "validate/chrome/heaps_v2/places.hpp"

namespace heapcheck::validation::chrome::heaps_v2::rules {

// One line per member, however long.
// clang-format off
inline constexpr Rule maps_cycle{
    .id = "heaps2.maps.cycle", .severity = Severity::error, .stage = Stage::check,
    .title = "the parents of a node lead to a root",
    .reason = "Readers that walk up to the root of a stack never reach it.",
    .example = "\"nodes\":[{\"id\":1,\"name_sid\":3,\"parent\":2},{\"id\":2,\"name_sid\":3,\"parent\":1}]",
    .advice = "Remove the parent of one of the nodes to be able to open the trace. If you write such files, add a node only after its parent.",
    .anchor = "chrome/heaps_v2.md#nodes", .since = "0.1"};
inline constexpr Rule maps_dangling_parent{
    .id = "heaps2.maps.dangling-parent", .severity = Severity::error, .stage = Stage::check,
    .title = "the parent of a node is a node",
    .reason = "Chrome's trace viewer (Catapult) warns and treats the node as the root of a stack.",
    .example = "{\"id\":6,\"name_sid\":5,\"parent\":4} where no node has id 4",
    .advice = "Expect stacks through this node to lack their outer frames. If you write such files, write the callers of a frame into the same maps.",
    .anchor = "chrome/heaps_v2.md#nodes", .since = "0.1"};
inline constexpr Rule maps_dangling_string{
    .id = "heaps2.maps.dangling-string", .severity = Severity::error, .stage = Stage::check,
    .title = "the name of a node or type is a string in the maps",
    .reason = "If the name of a frame is missing, Chrome's trace viewer (Catapult) shows the frame without a name; if the name of a type is missing, it cannot import the trace.",
    .example = "{\"id\":6,\"name_sid\":9} where no string has id 9",
    .advice = "Add a string with this id to be able to open the trace. If you write such files, write a string to the maps before any row refers to it.",
    .anchor = "chrome/heaps_v2.md#maps", .since = "0.1"};
inline constexpr Rule maps_duplicate_id{
    .id = "heaps2.maps.duplicate-id", .severity = Severity::error, .stage = Stage::check,
    .title = "an id in a map has one definition",
    .reason = "Most readers take the last row with the id and some take the first, so some memory is shown under a wrong name.",
    .example = "\"strings\":[{\"id\":1,\"string\":\"main\"},{\"id\":1,\"string\":\"free\"}]",
    .advice = "Do not trust the names under this id. If you write such files, number the rows of a map with a counter.",
    .anchor = "chrome/heaps_v2.md#maps", .since = "0.1"};
inline constexpr Rule maps_id_range{
    .id = "heaps2.maps.id-range", .severity = Severity::error, .stage = Stage::check,
    .title = "ids in maps are at most 2^53",
    .reason = "Readers that keep numbers as doubles cannot distinguish larger ids from their neighbours.",
    .example = "{\"id\":9007199254740993,\"name_sid\":1} is read as 9007199254740992",
    .advice = "Renumber the ids before you open the file in a reader written in JavaScript. If you write such files, use a counter for ids rather than addresses.",
    .anchor = "chrome/heaps_v2.md#numbers", .since = "0.1"};
inline constexpr Rule maps_missing{
    .id = "heaps2.maps.missing", .severity = Severity::error, .stage = Stage::check,
    .title = "the maps that a dump refers to are in the dump or in an earlier dump of the process",
    .reason = "Chrome's trace viewer (Catapult) cannot import the trace without types, and shows no stacks without nodes.",
    .example = "\"allocators\":{\"malloc\":{\"nodes\":[1],\"types\":[1],\"counts\":[1],\"sizes\":[8]}},\"maps\":{} has a row, but no maps",
    .advice = "Look for the first dump of the process; it may have been cut off. If you write such files, include complete maps in every dump.",
    .anchor = "chrome/heaps_v2.md#maps", .since = "0.1"};
inline constexpr Rule maps_redefined{
    .id = "heaps2.maps.redefined", .severity = Severity::warning, .stage = Stage::check,
    .title = "a dump that adds to earlier maps does not redefine an id",
    .reason = "Chrome's trace viewer (Catapult) keeps the first frame but the last type of an id, so stacks get wrong names.",
    .example = "{\"id\":4,\"name_sid\":1} in one dump and {\"id\":4,\"name_sid\":2} in a later dump of the process",
    .advice = "Do not trust the rows that use this id. If you write such files, either continue the numbering of ids from dump to dump or write complete maps.",
    .anchor = "chrome/heaps_v2.md#resolving", .since = "0.1"};
inline constexpr std::array maps{&maps_cycle, &maps_dangling_parent, &maps_dangling_string, &maps_duplicate_id, &maps_id_range, &maps_missing, &maps_redefined};
// clang-format on

}  // namespace heapcheck::validation::chrome::heaps_v2::rules

namespace heapcheck::validation::chrome::heaps_v2 {

using heapcheck::chrome::heaps_v2::Model;
using heapcheck::chrome::heaps_v2::Scope;

/// heaps2.maps.duplicate-id, heaps2.maps.id-range. Returns whether each id has one meaning.
bool check_ids(const Model& model, const Scope& scope, MapKind kind, core::FindingSink& sink);

/// heaps2.maps.cycle. Always takes linear time, whatever the parents are.
void check_cycles(const Dump& dump, const Scope& scope, core::FindingSink& sink);

/// heaps2.maps.redefined, for a dump that adds to the maps of earlier dumps. Returns whether each id still
/// has its earlier meaning.
bool check_redefined(const Model& model, const Scope& scope, MapKind kind, core::FindingSink& sink);

}  // namespace heapcheck::validation::chrome::heaps_v2
