// Reads the member `snapshot`: the counts, and the schema in `meta`.
#pragma once

#include "formats/v8/heapsnapshot/model.hpp"
#include "formats/v8/heapsnapshot/reading.hpp"

namespace heapcheck::v8::heapsnapshot {

/// Reads the value that comes next, the one of the key `snapshot`. Reports what is wrong with it, but not
/// what it lacks.
void read_header(Reading& reading, Snapshot& snapshot);

}  // namespace heapcheck::v8::heapsnapshot
