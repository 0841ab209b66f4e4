// Runs independent checks on several threads.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "formats/core/finding_sink.hpp"

namespace heapcheck::validation {

using SideCheck = std::function<void(core::FindingSink&)>;

/// Runs the checks on up to `threads` threads and then reports their findings in the order of the checks, so
/// that the report does not depend on the number of threads.
void check_side_by_side(unsigned threads, std::span<const SideCheck> checks, core::FindingSink& sink);

/// Does the same for many checks of one kind: `check(i, sink)` for each i below `count`. Holds back the
/// findings of only a limited number of checks at a time.
void check_each(unsigned threads, std::size_t count,
                const std::function<void(std::size_t, core::FindingSink&)>& check, core::FindingSink& sink);

}  // namespace heapcheck::validation
