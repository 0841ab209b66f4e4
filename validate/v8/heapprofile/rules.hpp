// The rules for the content of a sampling heap profile.
#pragma once

#include <array>

#include "formats/core/finding_sink.hpp"
#include "formats/v8/heapprofile/reader.hpp"
#include "heapcheck/types/finding.hpp"
#include "validate/readers.hpp"

namespace heapcheck::validation::v8::heapprofile::rules {

// One line per member, however long.
// clang-format off
inline constexpr Rule frame_line{
    .id = "v8prof.frame.line", .severity = Severity::note, .stage = Stage::check,
    .title = "a line or column is 0 or more, or -1 if it is unknown",
    .reason = "Functions of scripts that were compiled with a negative offset have smaller numbers; viewers then link to the wrong position.",
    .example = "\"lineNumber\":-10",
    .advice = "Look the function up by its name, because its position cannot be shown. If you write such files, write -1 for a position outside the script.",
    .anchor = "v8/heapprofile.md#frames", .since = "0.1"};
inline constexpr Rule node_id_duplicate{
    .id = "v8prof.node.id-duplicate", .severity = Severity::error, .stage = Stage::check,
    .title = "node ids are unique",
    .reason = "Samples refer to nodes by id; DevTools assigns the samples of all nodes with the same id to each of them.",
    .example = "two nodes with \"id\":2",
    .advice = "Run heapcheck recover, which gives the later node a new id. If you write such files, number the nodes from 1.",
    .anchor = "v8/heapprofile.md#nodes", .since = "0.1"};
inline constexpr Rule node_id_missing{
    .id = "v8prof.node.id-missing", .severity = Severity::warning, .stage = Stage::check,
    .title = "either all nodes have an `id`, or no node has one and there are no samples",
    .reason = "Samples refer to nodes by id, so samples cannot be matched to a node without an id.",
    .example = "a node without `id` in a tree whose other nodes have one",
    .advice = "Run heapcheck recover, which gives such a node an id if other nodes have one. If you write such files, give every node an id.",
    .anchor = "v8/heapprofile.md#nodes", .since = "0.1"};
inline constexpr Rule root_frame{
    .id = "v8prof.root.frame", .severity = Severity::warning, .stage = Stage::check,
    .title = "the root is the function `(root)`, without a URL, script or position",
    .reason = "Viewers hide the root. If it is another function, either that function cannot be seen or the rest of the tree is missing.",
    .example = "\"head\":{\"callFrame\":{\"functionName\":\"main\",...},...}",
    .advice = "Check whether the profile is only part of a larger tree before you trust its totals. If you write such files, make `(root)` the root.",
    .anchor = "v8/heapprofile.md#root", .since = "0.1"};
inline constexpr Rule sample_node{
    .id = "v8prof.sample.node", .severity = Severity::note, .stage = Stage::check,
    .title = "all samples belong to nodes of the tree",
    .reason = "V8 drops nodes without live bytes before it writes the samples, so no view shows the samples of these nodes.",
    .example = "\"nodeId\":7 in a profile whose nodes have ids 1, 2 and 3",
    .advice = "There is nothing to repair: V8 writes such profiles. If you read them, skip these samples.",
    .anchor = "v8/heapprofile.md#samples", .since = "0.1"};
inline constexpr Rule sample_ordinal{
    .id = "v8prof.sample.ordinal", .severity = Severity::note, .stage = Stage::check,
    .title = "the ordinals of samples are unique",
    .reason = "Without the inspector, Node.js writes only six digits of an ordinal, so the order of such samples in time is unknown.",
    .example = "two samples with \"ordinal\":1234570",
    .advice = "If you need the order of the samples, record the profile with node --heap-prof or DevTools.",
    .anchor = "v8/heapprofile.md#samples", .since = "0.1"};
inline constexpr Rule size_sum{
    .id = "v8prof.size.sum", .severity = Severity::error, .stage = Stage::check,
    .title = "the sizes of all nodes, and those of all samples, add up to less than 2^64",
    .reason = "The totals that viewers show wrap around or lose their last digits.",
    .example = "two nodes with \"selfSize\":9223372036854775808",
    .advice = "Run heapcheck recover, which drops the sizes that make the sum too large. If you write such files, look for a negative size that was written as an unsigned number.",
    .anchor = "v8/heapprofile.md#nodes", .since = "0.1"};
inline constexpr std::array all{&frame_line, &node_id_duplicate, &node_id_missing, &root_frame, &sample_node, &sample_ordinal, &size_sum};
// clang-format on

}  // namespace heapcheck::validation::v8::heapprofile::rules

namespace heapcheck::validation::v8::heapprofile {

namespace format = heapcheck::v8::heapprofile;

// Checks the tree of a V8 sampling heap profile.

void check_root(const format::Reading& reading, core::FindingSink& sink);
/// v8prof.size.sum, reported at the first node whose size makes the sum too large.
void check_node_sum(const format::Reading& reading, core::FindingSink& sink);
void check_lines(const format::Reading& reading, core::FindingSink& sink);
void check_unique_ids(const format::Reading& reading, core::FindingSink& sink);
/// Returns whether all nodes have ids; raises v8prof.node.id-missing. The tree must have been read to its
/// end, and no node may have a wrong id.
bool check_missing_ids(const format::Reading& reading, core::FindingSink& sink);
/// v8prof.speedscope.depth.
void check_depth_for_speedscope(const format::Reading& reading, const ReaderProfile& reader,
                                core::FindingSink& sink);

// Checks the samples of a V8 sampling heap profile.

/// v8prof.sample.node: reports one finding for all samples whose nodes are missing. All nodes must have ids.
void check_sample_nodes(const format::Reading& reading, core::FindingSink& sink);
/// v8prof.size.sum, reported at the first sample whose size makes the sum too large.
void check_sample_sum(const format::Reading& reading, core::FindingSink& sink);
/// v8prof.sample.ordinal: reports one finding for all samples that have the ordinal of an earlier sample.
void check_ordinals(const format::Reading& reading, core::FindingSink& sink);

/// The checks that only need the profile that was read, in the order in which they are run.
inline constexpr void (*checks[])(const format::Reading& reading, core::FindingSink& sink) = {
    check_root, check_node_sum, check_sample_sum, check_lines, check_unique_ids, check_ordinals};

}  // namespace heapcheck::validation::v8::heapprofile
