// What versions 1 and 2 of MoarVM dumps share: collectables without references start at reference 0.
#pragma once

#include "formats/core/finding.hpp"
#include "validate/mvmheap/view.hpp"

namespace heapcheck::validate::mvmheap {

/// Reports `rule` for each collectable that has no references and starts elsewhere.
void check_childless_starts(const SnapshotView& view, const core::Rule& rule, core::FindingSink& sink);

}  // namespace heapcheck::validate::mvmheap
