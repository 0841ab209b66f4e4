// Reads a V8 heap snapshot or timeline into columns. The input is a window at its first byte. The output is
// as much of the snapshot as could be read, which owns all its content. Findings about the bytes are reported
// to the sink.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "formats/core/window.hpp"
#include "formats/v8/heapsnapshot/model.hpp"
#include "heapcheck/types/limits.hpp"

namespace heapcheck::v8::heapsnapshot {

/// Sections may be in any order and even come before the header. Reads one JSON value, which may only be
/// followed by white space. If `with_text` is set, also fills in Snapshot::text, in which case no string
/// outside the sections may be longer than Limits::max_json_text.
[[nodiscard]] Snapshot read_snapshot(core::Window& window, const Limits& limits, core::FindingSink& sink,
                                     bool with_text = false);

}  // namespace heapcheck::v8::heapsnapshot
