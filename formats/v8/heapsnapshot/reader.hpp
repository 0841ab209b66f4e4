// Reads a V8 heap snapshot or timeline into columns. Input: a window at its first byte. Output: the part of
// the snapshot that could be read; it owns all its content. The sink receives findings about the bytes.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "formats/core/window.hpp"
#include "formats/v8/heapsnapshot/model.hpp"
#include "heapcheck/types/limits.hpp"

namespace heapcheck::v8::heapsnapshot {

/// Sections may be in any order, even before the header. Reads one JSON value, after which only white space
/// may follow. If `with_text` is set, also fills in Snapshot::text; in this case, no string outside the
/// sections may be longer than Limits::max_json_text.
[[nodiscard]] Snapshot read_snapshot(core::Window& window, const Limits& limits, core::FindingSink& sink,
                                     bool with_text = false);

}  // namespace heapcheck::v8::heapsnapshot
