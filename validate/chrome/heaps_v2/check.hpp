// Checks the `heaps_v2` objects in a trace one process at a time, in the order of the dumps of each process.
// Takes linear time, except for sorting rows. Uses memory for a few columns of the largest dump and for the
// ids of one process.
#pragma once

#include "formats/chrome/heaps_v2/model.hpp"
#include "formats/core/finding_sink.hpp"

namespace heapcheck::validation::chrome::heaps_v2 {

/// Applies every rule for the model, to several processes at a time if `threads` allows several threads.
void check(const heapcheck::chrome::heaps_v2::Model& model, unsigned threads, core::FindingSink& sink);

}  // namespace heapcheck::validation::chrome::heaps_v2
