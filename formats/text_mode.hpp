// Recognises MoarVM dumps that were written in text mode: MoarVM on Windows opens its files in this mode, in
// which the C library writes a carriage return before every line feed.
#pragma once

#include "formats/core/window.hpp"
#include "formats/mvmheap/version.hpp"
#include "heapcheck/types/limits.hpp"

namespace heapcheck::formats {

/// Whether the binary dump in `window`, which is at its first byte, was written in text mode. Judges by the
/// bytes that fit in a window of the default size, which are not consumed. spec: mvmheap/v2.md#text-mode
[[nodiscard]] bool is_text_mode(core::Window& window, const mvmheap::Version& version, const Limits& limits);

}  // namespace heapcheck::formats
