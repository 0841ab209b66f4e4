// Checks the `heaps_v2` objects of a trace, process by process, each in the order of its dumps. Takes linear
// time, except for sorting rows. Memory: a few columns of the largest dump, and the ids of one process.
#pragma once

#include "formats/chrome/heaps_v2/model.hpp"
#include "formats/core/finding_sink.hpp"

namespace heapcheck::validation::chrome::heaps_v2 {

/// Applies every rule about the model, to several processes at a time if there may be several `threads`.
void check(const heapcheck::chrome::heaps_v2::Model& model, unsigned threads, core::FindingSink& sink);

}  // namespace heapcheck::validation::chrome::heaps_v2
