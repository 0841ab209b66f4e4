// Checks a V8 sampling heap profile: reads it and applies every rule. Memory is the columns of the
// whole profile, about 60 bytes a node.
#pragma once

#include "formats/core/finding.hpp"
#include "formats/core/limits.hpp"
#include "formats/core/window.hpp"

namespace heapcheck::validate::v8::heapprofile {

/// `window` stands at the file's first byte.
void check(core::Window& window, const core::Limits& limits, core::FindingSink& sink);

}  // namespace heapcheck::validate::v8::heapprofile
