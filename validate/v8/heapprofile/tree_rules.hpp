// Rules over the tree of a V8 sampling heap profile.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "formats/v8/heapprofile/reader.hpp"

namespace heapcheck::validation::v8::heapprofile {

namespace format = heapcheck::v8::heapprofile;

namespace rules {

inline constexpr Rule frame_line{
    "v8prof.frame.line",
    Severity::note,
    Stage::check,
    "a line or column is -1, which is unknown, or counts from 0",
    "Scripts that were compiled with an offset have others; viewers lead to a wrong place.",
    "v8/heapprofile.md#frames",
    "0.1"};
inline constexpr Rule node_id_duplicate{
    "v8prof.node.id-duplicate",
    Severity::error,
    Stage::check,
    "the `id` of a node is its own",
    "Samples go by it; DevTools gives each node of the id the bytes of all of them.",
    "v8/heapprofile.md#nodes",
    "0.1"};
inline constexpr Rule node_id_missing{"v8prof.node.id-missing",
                                      Severity::warning,
                                      Stage::check,
                                      "all nodes have an `id`, or none has and there are no samples",
                                      "Samples cannot be told to belong to such a node.",
                                      "v8/heapprofile.md#nodes",
                                      "0.1"};
inline constexpr Rule root_frame{
    "v8prof.root.frame",
    Severity::warning,
    Stage::check,
    "the root is the function `(root)`, of no script and no place",
    "A part of a tree passes for a whole one, or a function for the root that viewers hide.",
    "v8/heapprofile.md#root",
    "0.1"};
inline constexpr Rule size_sum{"v8prof.size.sum",
                               Severity::error,
                               Stage::check,
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

}  // namespace heapcheck::validation::v8::heapprofile
