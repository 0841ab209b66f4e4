// Rules over the trace tree, the samples of a timeline and the scopes of a heap snapshot.
#pragma once

#include "validate/v8/heapsnapshot/cases.hpp"

namespace heapcheck::validation::v8::heapsnapshot {

namespace rules {

inline constexpr Rule samples_order{"v8snap.samples.order",
                                    Severity::warning,
                                    Stage::check,
                                    "time and last id do not fall from sample to sample",
                                    "DevTools finds the objects of an interval by a search that needs it.",
                                    "v8/heapsnapshot.md#samples",
                                    "0.1"};
inline constexpr Rule samples_start{"v8snap.samples.start",
                                    Severity::note,
                                    Stage::check,
                                    "the first sample is of the time 0",
                                    "V8 counts time from it; a part of the timeline may be missing.",
                                    "v8/heapsnapshot.md#samples",
                                    "0.1"};
inline constexpr Rule scopes_counts{
    "v8snap.scopes.counts",
    Severity::error,
    Stage::check,
    "the counts of all scopes together are the rows of `scope_context_vars` and `scope_uses`",
    "Rows belong to scopes by these counts alone: behind a wrong one, scopes have variables of others.",
    "v8/heapsnapshot.md#scopes",
    "0.1"};
inline constexpr Rule trace_tree_function{"v8snap.trace-tree.function",
                                          Severity::error,
                                          Stage::check,
                                          "a node of the trace tree names a function that there is",
                                          "DevTools fails with `Cannot read properties of undefined`.",
                                          "v8/heapsnapshot.md#trace-tree",
                                          "0.1"};
inline constexpr Rule trace_tree_id{"v8snap.trace-tree.id",
                                    Severity::warning,
                                    Stage::check,
                                    "the id of a node of the trace tree is its own",
                                    "Objects go by it; DevTools keeps the last node of the id.",
                                    "v8/heapsnapshot.md#trace-tree",
                                    "0.1"};
inline constexpr Rule trace_tree_root{"v8snap.trace-tree.root",
                                      Severity::warning,
                                      Stage::check,
                                      "the trace tree has one root, of id 1",
                                      "DevTools takes the first node for the root, and drops others.",
                                      "v8/heapsnapshot.md#trace-tree",
                                      "0.1"};

}  // namespace rules

void check_trace_tree(const Snapshot& snapshot, core::FindingSink& sink);
void check_samples(const Snapshot& snapshot, core::FindingSink& sink);
void check_scope_counts(const Snapshot& snapshot, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot
