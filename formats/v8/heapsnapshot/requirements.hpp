// Checks that a snapshot has everything that readers need, after all of it was read.
#pragma once

#include "formats/v8/heapsnapshot/context.hpp"
#include "formats/v8/heapsnapshot/model.hpp"

namespace heapcheck::v8::heapsnapshot {

/// Reports missing counts, columns and sections.
void check_requirements(Context& context, const Snapshot& snapshot);

}  // namespace heapcheck::v8::heapsnapshot
