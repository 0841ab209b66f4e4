// What must hold of a sampling heap profile.
#pragma once

#include <array>

#include "heapcheck/finding.hpp"

namespace heapcheck::validation::v8::heapprofile::rules {

// One line a member, however long.
// clang-format off
inline constexpr Rule frame_line{
    .id = "v8prof.frame.line", .severity = Severity::note, .stage = Stage::check,
    .title = "a line or column is -1, which is unknown, or counts from 0",
    .reason = "Scripts that were compiled with an offset have others; viewers lead to a wrong place.",
    .anchor = "v8/heapprofile.md#frames", .since = "0.1"};
inline constexpr Rule node_id_duplicate{
    .id = "v8prof.node.id-duplicate", .severity = Severity::error, .stage = Stage::check,
    .title = "the `id` of a node is its own",
    .reason = "Samples go by it; DevTools gives each node of the id the bytes of all of them.",
    .anchor = "v8/heapprofile.md#nodes", .since = "0.1"};
inline constexpr Rule node_id_missing{
    .id = "v8prof.node.id-missing", .severity = Severity::warning, .stage = Stage::check,
    .title = "all nodes have an `id`, or none has and there are no samples",
    .reason = "Samples cannot be told to belong to such a node.",
    .anchor = "v8/heapprofile.md#nodes", .since = "0.1"};
inline constexpr Rule root_frame{
    .id = "v8prof.root.frame", .severity = Severity::warning, .stage = Stage::check,
    .title = "the root is the function `(root)`, of no script and no place",
    .reason = "A part of a tree passes for a whole one, or a function for the root that viewers hide.",
    .anchor = "v8/heapprofile.md#root", .since = "0.1"};
inline constexpr Rule sample_node{
    .id = "v8prof.sample.node", .severity = Severity::note, .stage = Stage::check,
    .title = "the node of a sample is in the tree",
    .reason = "V8 drops nodes without live bytes before it writes the samples; these samples are in no view.",
    .anchor = "v8/heapprofile.md#samples", .since = "0.1"};
inline constexpr Rule sample_ordinal{
    .id = "v8prof.sample.ordinal", .severity = Severity::note, .stage = Stage::check,
    .title = "the `ordinal` of a sample is its own",
    .reason = "Node.js itself writes six digits of it; the order of such samples in time is not known.",
    .anchor = "v8/heapprofile.md#samples", .since = "0.1"};
inline constexpr Rule size_sum{
    .id = "v8prof.size.sum", .severity = Severity::error, .stage = Stage::check,
    .title = "the sizes of nodes, and those of samples, add up to less than 2^64",
    .reason = "Totals that viewers show wrap around, or lose their last digits.",
    .anchor = "v8/heapprofile.md#nodes", .since = "0.1"};
inline constexpr std::array all{&frame_line, &node_id_duplicate, &node_id_missing, &root_frame, &sample_node, &sample_ordinal, &size_sum};
// clang-format on

}  // namespace heapcheck::validation::v8::heapprofile::rules
