// Checks a version 2 file: reads it snapshot by snapshot and applies every rule. Memory is the columns of
// one snapshot and the shared tables.
#pragma once

#include "formats/core/finding.hpp"
#include "formats/core/limits.hpp"
#include "formats/core/window.hpp"

namespace heapcheck::validate::mvmheap::v2 {

/// `window` stands at the magic.
void check(core::Window& window, const core::Limits& limits, core::FindingSink& sink);

}  // namespace heapcheck::validate::mvmheap::v2
