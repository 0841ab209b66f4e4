// Reads the member `snapshot`: the counts, and the schema in `meta`.
#pragma once

#include "formats/v8/heapsnapshot/context.hpp"
#include "formats/v8/heapsnapshot/model.hpp"

namespace heapcheck::v8::heapsnapshot {

/// Reads the next value, that of the key `snapshot`. Reports wrong members, but not missing ones.
void read_header(Context& context, Snapshot& snapshot);

}  // namespace heapcheck::v8::heapsnapshot
