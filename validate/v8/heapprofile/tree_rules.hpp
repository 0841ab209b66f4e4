// Rules over the tree of a V8 sampling heap profile.
#pragma once

#include <array>

#include "formats/core/finding_sink.hpp"
#include "formats/v8/heapprofile/reader.hpp"

namespace heapcheck::validation::v8::heapprofile::rules {

inline constexpr Rule frame_line{
    .id = "v8prof.frame.line",
    .severity = Severity::note,
    .stage = Stage::check,
    .title = "a line or column is -1, which is unknown, or counts from 0",
    .reason = "Scripts that were compiled with an offset have others; viewers lead to a wrong place.",
    .anchor = "v8/heapprofile.md#frames",
    .since = "0.1",
};
inline constexpr Rule node_id_duplicate{
    .id = "v8prof.node.id-duplicate",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "the `id` of a node is its own",
    .reason = "Samples go by it; DevTools gives each node of the id the bytes of all of them.",
    .anchor = "v8/heapprofile.md#nodes",
    .since = "0.1",
};
inline constexpr Rule node_id_missing{
    .id = "v8prof.node.id-missing",
    .severity = Severity::warning,
    .stage = Stage::check,
    .title = "all nodes have an `id`, or none has and there are no samples",
    .reason = "Samples cannot be told to belong to such a node.",
    .anchor = "v8/heapprofile.md#nodes",
    .since = "0.1",
};
inline constexpr Rule root_frame{
    .id = "v8prof.root.frame",
    .severity = Severity::warning,
    .stage = Stage::check,
    .title = "the root is the function `(root)`, of no script and no place",
    .reason = "A part of a tree passes for a whole one, or a function for the root that viewers hide.",
    .anchor = "v8/heapprofile.md#root",
    .since = "0.1",
};
inline constexpr Rule size_sum{
    .id = "v8prof.size.sum",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "the sizes of nodes, and those of samples, add up to less than 2^64",
    .reason = "Totals that viewers show wrap around, or lose their last digits.",
    .anchor = "v8/heapprofile.md#nodes",
    .since = "0.1",
};

inline constexpr std::array tree_rules{
    &frame_line, &node_id_duplicate, &node_id_missing, &root_frame, &size_sum,
};

}  // namespace heapcheck::validation::v8::heapprofile::rules

namespace heapcheck::validation::v8::heapprofile {

namespace format = heapcheck::v8::heapprofile;

void check_root(const format::Reading& reading, core::FindingSink& sink);
/// v8prof.size.sum, at the first node whose size takes the sum too far.
void check_node_sum(const format::Reading& reading, core::FindingSink& sink);
void check_lines(const format::Reading& reading, core::FindingSink& sink);
void check_unique_ids(const format::Reading& reading, core::FindingSink& sink);
/// Whether all nodes have ids. The tree must have been read without errors.
bool check_missing_ids(const format::Reading& reading, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapprofile
