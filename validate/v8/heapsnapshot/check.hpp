// Checks a heap snapshot or timeline of V8: reads it and applies every rule. Memory is the columns of the
// whole snapshot, about 15 bytes a node and 9 an edge, and the strings.
#pragma once

#include "formats/core/finding.hpp"
#include "formats/core/limits.hpp"
#include "formats/core/window.hpp"

namespace heapcheck::validate::v8::heapsnapshot {

/// `window` stands at the file's first byte.
void check(core::Window& window, const core::Limits& limits, core::FindingSink& sink);

}  // namespace heapcheck::validate::v8::heapsnapshot
