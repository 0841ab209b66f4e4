// Reads a heap snapshot or timeline of V8 into columns. In: a window at its first byte. Out: the snapshot,
// which owns everything, as far as it could be read; what is wrong with the bytes goes to the sink.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "formats/core/window.hpp"
#include "formats/v8/heapsnapshot/model.hpp"
#include "heapcheck/limits.hpp"

namespace heapcheck::v8::heapsnapshot {

/// Sections may stand in any order, before the header too. Reads one JSON value; nothing behind it may follow
/// but white space. With `with_text`, Snapshot::text is read, for which all texts outside of sections must
/// fit into Limits::max_json_text.
[[nodiscard]] Snapshot read_snapshot(core::Window& window, const Limits& limits, core::FindingSink& sink,
                                     bool with_text = false);

}  // namespace heapcheck::v8::heapsnapshot
