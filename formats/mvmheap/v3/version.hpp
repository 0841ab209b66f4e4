// The record of version 3 in the table of formats.
#pragma once

#include "formats/mvmheap/version.hpp"

namespace heapcheck::mvmheap::v3 {

class FrontReader;

extern const Version version;

/// Of what `reader` has read: its blocks, and what they tell of the file as a whole.
[[nodiscard]] DumpDescription describe(const FrontReader& reader);

}  // namespace heapcheck::mvmheap::v3
