// Checks whether the text of a heap snapshot meets the needs of Chrome DevTools beyond the format: DevTools
// parses only the header and the strings as JSON, and searches the text for everything else.
#pragma once

#include "validate/consumer.hpp"
#include "validate/v8/heapsnapshot/cases.hpp"
#include "validate/v8/heapsnapshot/consumers/rules.hpp"

namespace heapcheck::validation::v8::heapsnapshot::consumers {

/// Applies all these rules. The text must have been read (see format::read_snapshot()).
void check_text_for_devtools(const Snapshot& snapshot, const ConsumerProfile& reader,
                             core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot::consumers
