// Checks the legacy heap dumps of a trace: that ids resolve, that no entry occurs twice, and that cumulative
// values are consistent. Linear time except for sorting the entries of a heap.
#pragma once

#include "formats/chrome/legacy/model.hpp"
#include "formats/core/finding_sink.hpp"

namespace heapcheck::validation::chrome::legacy {

/// `is_complete` says that the trace was read to its end; otherwise names may be in the part that is missing.
void check(const heapcheck::chrome::legacy::Model& model, bool is_complete, core::FindingSink& sink);

}  // namespace heapcheck::validation::chrome::legacy
