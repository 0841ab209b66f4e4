// Checks the legacy heap dumps of a trace: that ids resolve, that no entry occurs twice, and that cumulative
// values are consistent. Takes linear time, except for sorting the entries of a heap.
#pragma once

#include "formats/chrome/legacy/model.hpp"
#include "formats/core/finding_sink.hpp"

namespace heapcheck::validation::chrome::legacy {

/// If `is_complete` is false, the trace was not read to its end, and names may be in the missing part.
/// Several processes are checked at a time if there may be several `threads`.
void check(const heapcheck::chrome::legacy::Model& model, bool is_complete, unsigned threads,
           core::FindingSink& sink);

}  // namespace heapcheck::validation::chrome::legacy
