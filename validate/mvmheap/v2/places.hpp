// Locates values in a version 2 file, using the sections of the part to find the location that a finding
// reports.
#pragma once

#include "formats/mvmheap/v2/container.hpp"
#include "formats/mvmheap/v2/part.hpp"
#include "validate/mvmheap/view.hpp"

namespace heapcheck::validation::mvmheap::v2 {

namespace format = heapcheck::mvmheap::v2;

/// Makes the function that locates values for the model rules. The arguments must outlive it.
Locate make_locate(const format::SectionContainer& container, const format::SectionPart& part,
                   const model::Tables& tables);

}  // namespace heapcheck::validation::mvmheap::v2
