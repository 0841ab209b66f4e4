// Rules that only version 1 files can break, over what was read.
#pragma once

#include "formats/core/finding.hpp"
#include "validate/mvmheap/view.hpp"

namespace heapcheck::validate::mvmheap::v1 {

namespace rules {

inline constexpr core::Rule collectables_childless_start{
    "mvm1.collectables.childless-start",
    core::Severity::warning,
    core::Stage::check,
    "a collectable without references has refs_start 0",
    "MoarVM writes 0 there, so another writer made the file or num_refs has changed.",
    "mvmheap/v1.md#collectables",
    "0.1"};

}  // namespace rules

void check_childless_starts(const SnapshotView& view, core::FindingSink& sink);

}  // namespace heapcheck::validate::mvmheap::v1
