// Rules on the maps of one dump, the current one of its process.
#pragma once

#include <array>

#include "formats/core/finding_sink.hpp"
#include "validate/chrome/heaps_v2/places.hpp"

namespace heapcheck::validation::chrome::heaps_v2::rules {

// One line a member, however long.
// clang-format off
inline constexpr Rule maps_cycle{
    .id = "heaps2.maps.cycle", .severity = Severity::error, .stage = Stage::check,
    .title = "following the parents of a node comes to an end",
    .reason = "Readers that walk up to the root of a stack never get there.",
    .anchor = "chrome/heaps_v2.md#nodes", .since = "0.1"};
inline constexpr Rule maps_dangling_parent{
    .id = "heaps2.maps.dangling-parent", .severity = Severity::error, .stage = Stage::check,
    .title = "the parent of a node is a node",
    .reason = "Chrome's trace viewer warns and takes the node for the root of a stack.",
    .anchor = "chrome/heaps_v2.md#nodes", .since = "0.1"};
inline constexpr Rule maps_dangling_string{
    .id = "heaps2.maps.dangling-string", .severity = Severity::error, .stage = Stage::check,
    .title = "the name of a node or type is a string",
    .reason = "Chrome's trace viewer shows a frame without a name, and gives up the whole trace for a type.",
    .anchor = "chrome/heaps_v2.md#maps", .since = "0.1"};
inline constexpr Rule maps_duplicate_id{
    .id = "heaps2.maps.duplicate-id", .severity = Severity::error, .stage = Stage::check,
    .title = "an id is defined once in a map",
    .reason = "Most readers take the last row with it, some the first; what belongs to the other gets a wrong name.",
    .anchor = "chrome/heaps_v2.md#maps", .since = "0.1"};
inline constexpr Rule maps_id_range{
    .id = "heaps2.maps.id-range", .severity = Severity::error, .stage = Stage::check,
    .title = "ids are at most 2^53",
    .reason = "Readers that keep numbers as doubles take two ids for the same.",
    .anchor = "chrome/heaps_v2.md#numbers", .since = "0.1"};
inline constexpr Rule maps_missing{
    .id = "heaps2.maps.missing", .severity = Severity::error, .stage = Stage::check,
    .title = "a dump has the maps that it refers to, or an earlier one of the process has",
    .reason = "Chrome's trace viewer gives up the whole trace without types, and shows no stacks without nodes.",
    .anchor = "chrome/heaps_v2.md#maps", .since = "0.1"};
inline constexpr Rule maps_redefined{
    .id = "heaps2.maps.redefined", .severity = Severity::warning, .stage = Stage::check,
    .title = "a dump that adds to earlier maps gives no id a second meaning",
    .reason = "Chrome's trace viewer keeps the first frame but the last type, so stacks get wrong names.",
    .anchor = "chrome/heaps_v2.md#resolving", .since = "0.1"};
inline constexpr std::array maps{&maps_cycle, &maps_dangling_parent, &maps_dangling_string, &maps_duplicate_id, &maps_id_range, &maps_missing, &maps_redefined};
// clang-format on

}  // namespace heapcheck::validation::chrome::heaps_v2::rules

namespace heapcheck::validation::chrome::heaps_v2 {

using heapcheck::chrome::heaps_v2::Model;
using heapcheck::chrome::heaps_v2::Scope;

/// heaps2.maps.duplicate-id, heaps2.maps.id-range. Says whether each id means one thing.
bool check_ids(const Model& model, const Scope& scope, MapKind kind, core::FindingSink& sink);

/// heaps2.maps.cycle: linear, whatever the parents.
void check_cycles(const Dump& dump, const Scope& scope, core::FindingSink& sink);

/// heaps2.maps.redefined: of a dump that adds to the maps of earlier ones. Says whether each id means what it
/// did.
bool check_redefined(const Model& model, const Scope& scope, MapKind kind, core::FindingSink& sink);

}  // namespace heapcheck::validation::chrome::heaps_v2
