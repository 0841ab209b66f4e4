// Checks a Chrome trace: reads it and applies the rules for the heap dumps in it. Keeps the columns of all
// dumps in memory, because the names of stack frames may come after them.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "formats/core/window.hpp"
#include "formats/read_trace.hpp"
#include "heapcheck/types/finding.hpp"
#include "heapcheck/types/limits.hpp"
#include "validate/chrome/rules.hpp"

namespace heapcheck::validation::chrome {

/// `window` is at the first byte of the file. Returns the trace that was read.
formats::Trace check(core::Window& window, const Limits& limits, core::FindingSink& sink);

}  // namespace heapcheck::validation::chrome
