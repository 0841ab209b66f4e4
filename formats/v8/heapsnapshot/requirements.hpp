// What a snapshot lacks, once all of it was read.
#pragma once

#include "formats/v8/heapsnapshot/model.hpp"
#include "formats/v8/heapsnapshot/reading.hpp"

namespace heapcheck::v8::heapsnapshot {

/// Reports counts, columns and sections that are required and not there.
void check_requirements(Reading& reading, const Snapshot& snapshot);

}  // namespace heapcheck::v8::heapsnapshot
