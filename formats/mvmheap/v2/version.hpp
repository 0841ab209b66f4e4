// The record for version 2 in the table of formats.
#pragma once

#include "formats/mvmheap/version.hpp"

namespace heapcheck::mvmheap::v2 {

class FrontReader;

extern const Version version;

/// Describes the sections that `reader` has read, and the file.
[[nodiscard]] DumpDescription describe(const FrontReader& reader);

}  // namespace heapcheck::mvmheap::v2
