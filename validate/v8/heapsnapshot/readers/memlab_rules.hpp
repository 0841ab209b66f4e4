// Checks whether a heap snapshot meets the needs of memlab beyond the format: memlab cuts nodes, edges and
// locations out of the text, and parses the rest as JSON.
#pragma once

#include "formats/v8/heapsnapshot/faults.hpp"
#include "validate/readers.hpp"
#include "validate/v8/heapsnapshot/cases.hpp"
#include "validate/v8/heapsnapshot/readers/rules.hpp"

namespace heapcheck::validation::v8::heapsnapshot::readers {

/// Applies all these rules. The text must have been read (see format::read_snapshot()).
void check_for_memlab(const Snapshot& snapshot, const ReaderProfile& reader, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot::readers
