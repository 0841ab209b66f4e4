// Checks a V8 heap snapshot or timeline: reads it and applies every rule. Takes memory for the strings and
// the columns of the whole snapshot, about 15 bytes per node and 9 per edge.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "formats/core/window.hpp"
#include "formats/v8/heapsnapshot/model.hpp"
#include "heapcheck/types/limits.hpp"
#include "validate/readers.hpp"

namespace heapcheck::validation::v8::heapsnapshot {

/// `window` is at the file's first byte. If `reader` has its own rules, applies them as well. Returns as much
/// of the snapshot as was read.
heapcheck::v8::heapsnapshot::Snapshot check(core::Window& window, const Limits& limits,
                                            core::FindingSink& sink, const ReaderProfile& reader);

/// Whether the rows contradict the columns and types in `meta`, that is, whether any check made after reading
/// finds an error or a warning.
[[nodiscard]] bool contradicts_meta(const heapcheck::v8::heapsnapshot::Snapshot& snapshot);

}  // namespace heapcheck::validation::v8::heapsnapshot
