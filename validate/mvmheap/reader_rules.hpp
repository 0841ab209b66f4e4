// Checks what the readers of MoarVM dumps need beyond the format.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "validate/mvmheap/view.hpp"
#include "validate/readers.hpp"

namespace heapcheck::validation::mvmheap {

/// Reports the sizes that are too large for moar-ha, comma or moarperf. Does nothing for any other reader.
void check_sizes_for(Reader reader, const SnapshotView& view, core::FindingSink& sink);

/// Reports the strings from `first` to `last` that moar-ha cannot parse. Does nothing for any other reader.
void check_names_for(Reader reader, const model::Tables& tables, std::uint64_t first, std::uint64_t last,
                     const Locate& locate, core::FindingSink& sink);

}  // namespace heapcheck::validation::mvmheap
