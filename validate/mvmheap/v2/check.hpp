// Checks a version 2 file: reads it snapshot by snapshot and applies every rule. Memory is the columns of
// one snapshot and the shared tables.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "formats/core/window.hpp"
#include "heapcheck/limits.hpp"

namespace heapcheck::validation::mvmheap::v2 {

/// `window` stands at the magic.
void check(core::Window& window, const Limits& limits, core::FindingSink& sink);

}  // namespace heapcheck::validation::mvmheap::v2
