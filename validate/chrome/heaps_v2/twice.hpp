// Finds dumps that are in the trace twice. spec: chrome/heaps_v2.md#dumps
#pragma once

#include <vector>

#include "formats/core/finding_sink.hpp"
#include "validate/chrome/heaps_v2/places.hpp"

namespace heapcheck::validation::chrome::heaps_v2 {

/// heaps2.dump.twice: two dumps of the same process and dump id that have the same rows and maps. `dumps` are
/// the dumps of one process, as indices. Returns those that are not such copies.
std::vector<std::uint32_t> check_twice(const heapcheck::chrome::heaps_v2::Model& model,
                                       const std::vector<std::uint32_t>& dumps, core::FindingSink& sink);

}  // namespace heapcheck::validation::chrome::heaps_v2
