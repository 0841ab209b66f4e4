// Runs checks that do not depend on each other on several threads.
#pragma once

#include <functional>
#include <span>

#include "formats/core/finding_sink.hpp"

namespace heapcheck::validation {

using SideCheck = std::function<void(core::FindingSink&)>;

/// Runs the checks on up to `threads` threads, and then reports what they found, in their order, so that the
/// report does not depend on the number of threads.
void check_side_by_side(unsigned threads, std::span<const SideCheck> checks, core::FindingSink& sink);

}  // namespace heapcheck::validation
