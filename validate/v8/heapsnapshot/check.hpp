// Checks a heap snapshot or timeline of V8: reads it and applies every rule. Memory is the columns of the
// whole snapshot, about 15 bytes a node and 9 an edge, and the strings.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "formats/core/window.hpp"
#include "formats/v8/heapsnapshot/model.hpp"
#include "heapcheck/limits.hpp"
#include "validate/v8/heapsnapshot/consumers/consumer.hpp"

namespace heapcheck::validation::v8::heapsnapshot {

/// `window` stands at the file's first byte. For a reader that has rules of its own, they are applied too.
/// Returns what was read.
heapcheck::v8::heapsnapshot::Snapshot check(core::Window& window, const Limits& limits,
                                            core::FindingSink& sink,
                                            const consumers::ConsumerProfile& reader);

}  // namespace heapcheck::validation::v8::heapsnapshot
