// Checks a version 1 file: reads it snapshot by snapshot and applies every rule. Keeps the columns of one
// snapshot and the shared tables in memory.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "formats/core/window.hpp"
#include "formats/mvmheap/kept_dump.hpp"
#include "heapcheck/types/limits.hpp"
#include "validate/mvmheap/snapshot_pass.hpp"
#include "validate/readers.hpp"

namespace heapcheck::validation::mvmheap::v1 {

/// `window` is at the first byte of the file. Returns the dump if `keeper` could keep all of it. Also checks
/// the requirements of `reader`.
CheckedDump check(core::Window& window, const Limits& limits, core::FindingSink& sink, Columns columns,
                  heapcheck::mvmheap::PartKeeper keeper, Reader reader = Reader::none);

}  // namespace heapcheck::validation::mvmheap::v1
