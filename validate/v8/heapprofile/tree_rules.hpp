// Rules over the tree of a V8 sampling heap profile.
#pragma once

#include "formats/core/finding.hpp"
#include "formats/v8/heapprofile/reader.hpp"

namespace heapcheck::validate::v8::heapprofile {

namespace format = heapcheck::v8::heapprofile;

namespace rules {

inline constexpr core::Rule frame_line{
    "v8prof.frame.line",
    core::Severity::note,
    core::Stage::check,
    "a line or column is -1, which is unknown, or counts from 0",
    "Scripts that were compiled with an offset have others; viewers lead to a wrong place.",
    "v8/heapprofile.md#frames",
    "0.1"};
inline constexpr core::Rule node_id_duplicate{
    "v8prof.node.id-duplicate",
    core::Severity::error,
    core::Stage::check,
    "the `id` of a node is its own",
    "Samples go by it; DevTools gives each node of the id the bytes of all of them.",
    "v8/heapprofile.md#nodes",
    "0.1"};
inline constexpr core::Rule node_id_missing{"v8prof.node.id-missing",
                                            core::Severity::warning,
                                            core::Stage::check,
                                            "all nodes have an `id`, or none has and there are no samples",
                                            "Samples cannot be told to belong to such a node.",
                                            "v8/heapprofile.md#nodes",
                                            "0.1"};
inline constexpr core::Rule root_frame{
    "v8prof.root.frame",
    core::Severity::warning,
    core::Stage::check,
    "the root is the function `(root)`, of no script and no place",
    "A part of a tree passes for a whole one, or a function for the root that viewers hide.",
    "v8/heapprofile.md#root",
    "0.1"};
inline constexpr core::Rule size_sum{"v8prof.size.sum",
                                     core::Severity::error,
                                     core::Stage::check,
                                     "the sizes of nodes, and those of samples, add up to less than 2^64",
                                     "Totals that viewers show wrap around, or lose their last digits.",
                                     "v8/heapprofile.md#nodes",
                                     "0.1"};

}  // namespace rules

void check_root(const format::Reading& reading, core::FindingSink& sink);
/// v8prof.size.sum, at the first node whose size takes the sum too far.
void check_node_sum(const format::Reading& reading, core::FindingSink& sink);
void check_lines(const format::Reading& reading, core::FindingSink& sink);
void check_unique_ids(const format::Reading& reading, core::FindingSink& sink);
/// Whether all nodes have ids. The tree must have been read without errors.
bool check_missing_ids(const format::Reading& reading, core::FindingSink& sink);

}  // namespace heapcheck::validate::v8::heapprofile
