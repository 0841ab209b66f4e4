// A rule that versions 1 and 2 of MoarVM dumps share: refs_start is 0 in collectables without references.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "validate/mvmheap/view.hpp"

namespace heapcheck::validation::mvmheap {

/// Reports `rule` for each collectable without references whose refs_start is not 0.
void check_childless_starts(const SnapshotView& view, const Rule& rule, core::FindingSink& sink);

}  // namespace heapcheck::validation::mvmheap
