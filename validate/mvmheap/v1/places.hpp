// Locates values in a version 1 file, using the marks of a list and the lengths of its rows to find the bytes
// of a field.
#pragma once

#include "formats/mvmheap/v1/container.hpp"
#include "formats/mvmheap/v1/part.hpp"
#include "validate/mvmheap/view.hpp"

namespace heapcheck::validation::mvmheap::v1 {

namespace format = heapcheck::mvmheap::v1;

/// Makes the function that locates values for the model rules. The arguments must outlive it.
Locate make_locate(const format::LineContainer& container, const format::LinePart& part,
                   const model::Tables& tables);

}  // namespace heapcheck::validation::mvmheap::v1
