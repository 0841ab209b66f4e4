// Checks whether the text of a heap snapshot meets the needs of Chrome DevTools beyond the format: DevTools
// parses only the header and the strings as JSON, and searches the text for everything else.
#pragma once

#include "validate/readers.hpp"
#include "validate/v8/heapsnapshot/cases.hpp"
#include "validate/v8/heapsnapshot/readers/rules.hpp"

namespace heapcheck::validation::v8::heapsnapshot::readers {

/// Applies all these rules. The text must have been read (see format::read_snapshot()).
void check_text_for_devtools(const Snapshot& snapshot, const ReaderProfile& reader, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot::readers
