// Computes the totals of the snapmeta block and the highscores of a snapshot, as MoarVM does, for models that
// lack them. Owns nothing.
#pragma once

#include "formats/mvmheap/metas.hpp"
#include "formats/mvmheap/model.hpp"
#include "formats/mvmheap/summary.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::mvmheap {

/// The totals of a snapshot, where `summary` is the summary of its collectables. The time and the number of
/// the garbage collection are unknown and set to 0.
SnapshotMeta make_snapshot_meta(const Snapshot& snapshot, const Summary& summary);

/// The number of references of the call stack roots. For each of them, MoarVM adds a frame that it does not
/// count, so `total_frames` of a real file may be too low by this number. spec: mvmheap/v3.md#quirks
std::uint64_t count_stack_frames(const Collectables& collectables, const Summary& summary);

/// The four lists in the order of `meta`: scores in descending order, equal scores in order of index, and
/// unused entries filled with 0. Errors: limit, if the entries do not fit into Limits::max_memory.
Result<Highscores> make_highscores(const Summary& summary, const FileMeta& meta, const Limits& limits);

}  // namespace heapcheck::mvmheap
