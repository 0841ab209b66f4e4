// Rules about the columns of one allocator, and about its totals in the same event.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "validate/chrome/heaps_v2/places.hpp"

namespace heapcheck::validation::chrome::heaps_v2 {

using heapcheck::chrome::heaps_v2::Scope;

/// heaps2.columns.missing, heaps2.columns.length. Returns whether the columns form rows.
bool check_columns(const Dump& dump, const Heap& heap, core::FindingSink& sink);

/// heaps2.columns.sum, heaps2.rows.count, and check_total(); the columns must form rows.
void check_sums(const Dump& dump, const Heap& heap, core::FindingSink& sink);

/// heaps2.rows.duplicate, heaps2.rows.no-stack; `dump` is the current dump of `scope`.
void check_rows(const Dump& dump, const Heap& heap, const Scope& scope, core::FindingSink& sink);

}  // namespace heapcheck::validation::chrome::heaps_v2
