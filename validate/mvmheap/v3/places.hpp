// Locates values in a version 3 file, using the blocks of the part to find the location that a finding
// reports.
#pragma once

#include "formats/mvmheap/v3/container.hpp"
#include "formats/mvmheap/v3/part.hpp"
#include "validate/mvmheap/view.hpp"

namespace heapcheck::validation::mvmheap::v3 {

namespace format = heapcheck::mvmheap::v3;

/// Locates the block of `kind` in this part.
Location locate_block(const format::BlockContainer& container, const format::BlockPart& part,
                      format::BlockKind kind);

/// Locates value `row` in the column of `kind` in this part, and its bytes in the decompressed content.
Location locate_value(const format::BlockContainer& container, const format::BlockPart& part,
                      format::BlockKind kind, std::uint64_t row);

/// Makes the function that locates values for the model rules. The arguments must outlive it.
Locate make_locate(const format::BlockContainer& container, const format::BlockPart& part,
                   const model::Tables& tables);

}  // namespace heapcheck::validation::mvmheap::v3
