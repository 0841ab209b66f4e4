// Checks what the legacy heap dumps of a trace hold: that ids resolve, that entries are there once, and that
// cumulative values fit each other. Linear, but for sorting the entries of a heap.
#pragma once

#include "formats/chrome/legacy/model.hpp"
#include "formats/core/finding_sink.hpp"

namespace heapcheck::validation::chrome::legacy {

/// `is_complete`: the trace was read to its end; otherwise tables of names may stand in what is missing.
void check(const heapcheck::chrome::legacy::Model& model, bool is_complete, core::FindingSink& sink);

}  // namespace heapcheck::validation::chrome::legacy
