// Computes what a version 3 file states about a snapshot besides its columns: the totals of its snapmeta and
// its highscores, as MoarVM computes them, for models that come without. Owns nothing.
#pragma once

#include "formats/mvmheap/metas.hpp"
#include "formats/mvmheap/model.hpp"
#include "formats/mvmheap/summary.hpp"
#include "heapcheck/limits.hpp"
#include "heapcheck/result.hpp"

namespace heapcheck::mvmheap {

/// The totals of a snapshot whose collectables are summed up in `summary`. The time and the number of the
/// garbage collection are unknown and set to 0.
SnapshotMeta make_snapshot_meta(const Snapshot& snapshot, const Summary& summary);

/// Number of references of the call stack roots. MoarVM adds each of them as a frame without counting it, so
/// `total_frames` of a real file may be too low by this number. spec: mvmheap/v3.md#quirks
std::uint64_t count_stack_frames(const Collectables& collectables, const Summary& summary);

/// The four lists in the order of `meta`: scores in descending order, equal scores by index, and places
/// without a score filled with 0. Errors: limit, if that many places do not fit into Limits::max_memory.
Result<Highscores> make_highscores(const Summary& summary, const FileMeta& meta, const Limits& limits);

}  // namespace heapcheck::mvmheap
