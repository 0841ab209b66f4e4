// Finds the leaks that grow from one snapshot to the next. A full cache whose entries are replaced has new
// nodes, too, but what holds them does not grow, and new parts of objects in a pool replace others. spec:
// analysis.md#rising-leaks
#pragma once

#include <cstdint>
#include <vector>

#include "analyze/heap.hpp"
#include "heapcheck/types/suspects.hpp"

namespace heapcheck::analyze {

struct RisingLeak {
  Suspect leak;              ///< as Heap::leaks_since() finds it
  std::uint64_t growth = 0;  ///< by how many bytes what holds it has grown
};

/// The leaks of the program in `last` that grew by at least `least_growth` bytes since `first`, those that
/// retain the most first. The nodes of both have ids that identify them.
[[nodiscard]] std::vector<RisingLeak> find_rising_leaks(const Heap& first, const Heap& last,
                                                        double least_growth);

}  // namespace heapcheck::analyze
