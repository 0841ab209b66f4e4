// Rules over the index of a version 2 file: what it says of each snapshot against where things are.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "formats/mvmheap/v2/container.hpp"
#include "validate/mvmheap/v2/rules.hpp"

namespace heapcheck::validation::mvmheap::v2 {

namespace format = heapcheck::mvmheap::v2;

/// All of them, for what could be read.
void check_index(const format::SectionContainer& container, core::FindingSink& sink);

}  // namespace heapcheck::validation::mvmheap::v2
