// What a version 1 file consists of, as rows that are the same for all versions.
#pragma once

#include "formats/mvmheap/dump.hpp"
#include "formats/mvmheap/v1/reader.hpp"

namespace heapcheck::mvmheap::v1 {

/// Of what `reader` has read: its lines, and what they tell of the file as a whole.
[[nodiscard]] DumpDescription describe(const FrontReader& reader);

}  // namespace heapcheck::mvmheap::v1
