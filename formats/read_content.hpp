// Reads the complete content of a JSON file of any format, for callers that want something other than a
// check. MoarVM dumps are read part by part instead (open.hpp).
#pragma once

#include "formats/core/finding_sink.hpp"
#include "formats/model.hpp"
#include "formats/open.hpp"
#include "heapcheck/types/limits.hpp"

namespace heapcheck::formats {

/// The content of `window`, which is at the first byte of a file of that format; nothing for a MoarVM dump.
/// All findings go to the sink.
Content read_content(Format format, core::Window& window, const Limits& limits, core::FindingSink& sink);

}  // namespace heapcheck::formats
