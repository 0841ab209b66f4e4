// The JSON that the viewer of DHAT reads, which is the heap profiler of valgrind. Firefox Profiler reads it
// too. Source: the comment about the output in dhat/dh_main.c, and dhat/dh_view.js, in valgrind 3.19
#pragma once

#include "export/exporter.hpp"

namespace heapcheck::exports::profiles {

/// One program point for each stack with memory, with its frames from the innermost on, its bytes and its
/// objects. The viewer rejects a stack that occurs twice, so places with the same frames share one. A
/// snapshot has neither lifetimes nor accesses; it lasts for one unit of time, so a rate is the number
/// itself. If the format has no numbers of objects, stacks are counted instead. Losses: numbers above 2^53.
/// Errors: unwritable; limit, if the program points have more than 2^28 frames in total.
[[nodiscard]] Result<Written> write_dhat(const StacksInput& input, core::ByteSink& sink);

}  // namespace heapcheck::exports::profiles
