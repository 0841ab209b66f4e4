// What a version 3 file consists of, as rows that are the same for all versions.
#pragma once

#include "formats/mvmheap/dump.hpp"
#include "formats/mvmheap/v3/reader.hpp"

namespace heapcheck::mvmheap::v3 {

/// Of what `reader` has read: its blocks, and what they tell of the file as a whole.
[[nodiscard]] DumpDescription describe(const FrontReader& reader);

}  // namespace heapcheck::mvmheap::v3
