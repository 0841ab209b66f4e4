// Checks a heap snapshot or timeline of V8: reads it and applies every rule. Memory is the columns of the
// whole snapshot, about 15 bytes a node and 9 an edge, and the strings.
#pragma once

#include "formats/core/finding.hpp"
#include "formats/core/limits.hpp"
#include "formats/core/window.hpp"
#include "validate/consumer.hpp"

namespace heapcheck::validate::v8::heapsnapshot {

/// `window` stands at the file's first byte. For a reader that has rules of its own, they are applied too.
void check(core::Window& window, const core::Limits& limits, core::FindingSink& sink, const Reader& reader);

}  // namespace heapcheck::validate::v8::heapsnapshot
