// Where values of a version 1 file stand: from the marks of a list and the lengths of its rows to
// the bytes of a field.
#pragma once

#include "formats/mvmheap/v1/container.hpp"
#include "formats/mvmheap/v1/part.hpp"
#include "validate/mvmheap/view.hpp"

namespace heapcheck::validation::mvmheap::v1 {

namespace format = heapcheck::mvmheap::v1;

/// Locations for the model rules. The part, the container and the tables must outlive the result.
Locate make_locate(const format::LineContainer& container, const format::LinePart& part,
                   const model::Tables& tables);

}  // namespace heapcheck::validation::mvmheap::v1
