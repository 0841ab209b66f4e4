// Reads what a JSON file of any format holds, whole, for those who ask something other than whether it is
// sound. MoarVM dumps are read part by part instead (open.hpp).
#pragma once

#include "formats/core/finding_sink.hpp"
#include "formats/model.hpp"
#include "formats/open.hpp"
#include "heapcheck/limits.hpp"

namespace heapcheck::formats {

/// What is in `window`, which is at the first byte of a file of that format; nothing of a MoarVM dump. What
/// is wrong with it goes to the sink.
Content read_content(Format format, core::Window& window, const Limits& limits, core::FindingSink& sink);

}  // namespace heapcheck::formats
