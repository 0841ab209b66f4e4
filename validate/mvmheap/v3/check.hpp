// Checks a version 3 file: reads it part by part and applies every rule. Memory is the columns of
// one snapshot and the shared tables.
#pragma once

#include "formats/core/finding.hpp"
#include "formats/core/limits.hpp"
#include "formats/core/window.hpp"

namespace heapcheck::validate::mvmheap::v3 {

/// `window` stands at the magic.
void check(core::Window& window, const core::Limits& limits, core::FindingSink& sink);

}  // namespace heapcheck::validate::mvmheap::v3
