// What a snapshot lacks, once all of it was read.
#pragma once

#include "formats/v8/heapsnapshot/context.hpp"
#include "formats/v8/heapsnapshot/model.hpp"

namespace heapcheck::v8::heapsnapshot {

/// Reports counts, columns and sections that are required and not there.
void check_requirements(Context& context, const Snapshot& snapshot);

}  // namespace heapcheck::v8::heapsnapshot
