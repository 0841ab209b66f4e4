// Checks the legacy heap dumps in a trace: that ids can be resolved, that no entry occurs twice, and that
// cumulative values are consistent. Takes linear time, except for sorting the entries of a heap.
#pragma once

#include "formats/chrome/legacy/model.hpp"
#include "formats/core/finding_sink.hpp"

namespace heapcheck::validation::chrome::legacy {

/// If `is_complete` is false, the trace was not read to the end, and some names may be in the part that was
/// not read. Several processes are checked at a time if `threads` allows several threads.
void check(const heapcheck::chrome::legacy::Model& model, bool is_complete, unsigned threads,
           core::FindingSink& sink);

}  // namespace heapcheck::validation::chrome::legacy
