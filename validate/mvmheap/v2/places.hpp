// Where values of a version 2 file stand: from the part's sections to a location in a finding.
#pragma once

#include "formats/mvmheap/v2/container.hpp"
#include "formats/mvmheap/v2/part.hpp"
#include "validate/mvmheap/view.hpp"

namespace heapcheck::validation::mvmheap::v2 {

namespace format = heapcheck::mvmheap::v2;

/// Locations for the model rules. The part, the container and the tables must outlive the result.
Locate make_locate(const format::SectionContainer& container, const format::SectionPart& part,
                   const model::Tables& tables);

}  // namespace heapcheck::validation::mvmheap::v2
