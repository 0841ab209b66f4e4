// What versions 1 and 2 of MoarVM dumps share: collectables without references start at reference 0.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "validate/mvmheap/view.hpp"

namespace heapcheck::validation::mvmheap {

/// Reports `rule` for each collectable that has no references and starts elsewhere.
void check_childless_starts(const SnapshotView& view, const Rule& rule, core::FindingSink& sink);

}  // namespace heapcheck::validation::mvmheap
