// Rules on the tables of contents of a version 3 file: compares their entries with the blocks of the file, in
// both directions.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "formats/mvmheap/v3/container.hpp"
#include "validate/mvmheap/v3/rules.hpp"

namespace heapcheck::validation::mvmheap::v3 {

namespace format = heapcheck::mvmheap::v3;

/// Checks every table of contents that was read. Requires the container of the whole file.
void check_tocs(const format::BlockContainer& container, core::FindingSink& sink);

}  // namespace heapcheck::validation::mvmheap::v3
