// Rules about the totals of allocators, which an event states next to its heaps. spec:
// chrome/heaps_v2.md#totals
#pragma once

#include <vector>

#include "formats/core/finding_sink.hpp"
#include "validate/chrome/heaps_v2/places.hpp"

namespace heapcheck::validation::chrome::heaps_v2 {

using heapcheck::chrome::heaps_v2::Model;

/// Compares the sum of the sizes of `heap` with its total: heaps2.total.above, heaps2.total.below,
/// heaps2.total.lost-rows, heaps2.total.differs.
void check_total(const Dump& dump, const Heap& heap, std::uint64_t sum, core::FindingSink& sink);

/// heaps2.total.no-heap: a total for which there is no heap, in a process whose writer leaves no rows out.
/// `dumps` are the dumps of one process, as indices.
void check_lost_heaps(const Model& model, const std::vector<std::uint32_t>& dumps, core::FindingSink& sink);

/// heaps2.total.missing: a heap for which there is no total, although other dumps of the process have totals.
void check_missing_totals(const Model& model, const std::vector<std::uint32_t>& dumps,
                          core::FindingSink& sink);

/// Returns whether the figures of the event confirm the sum of the sizes of `heap`.
[[nodiscard]] bool is_confirmed(const Dump& dump, const Heap& heap, std::uint64_t sum);

}  // namespace heapcheck::validation::chrome::heaps_v2
