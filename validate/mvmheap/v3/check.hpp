// Checks a version 3 file: reads it part by part and applies every rule. Memory is the columns of
// one snapshot and the shared tables.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "formats/core/window.hpp"
#include "heapcheck/limits.hpp"

namespace heapcheck::validation::mvmheap::v3 {

/// `window` stands at the magic.
void check(core::Window& window, const Limits& limits, core::FindingSink& sink);

}  // namespace heapcheck::validation::mvmheap::v3
