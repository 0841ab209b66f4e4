// Finds values in a version 3 file: derives the location in a finding from the blocks of the part.
#pragma once

#include "formats/mvmheap/v3/container.hpp"
#include "formats/mvmheap/v3/part.hpp"
#include "validate/mvmheap/view.hpp"

namespace heapcheck::validation::mvmheap::v3 {

namespace format = heapcheck::mvmheap::v3;

/// The block of `kind` in this part as a location.
Location locate_block(const format::BlockContainer& container, const format::BlockPart& part,
                      format::BlockKind kind);

/// Value `row` of the column of `kind` in this part, with its place in the decompressed content.
Location locate_value(const format::BlockContainer& container, const format::BlockPart& part,
                      format::BlockKind kind, std::uint64_t row);

/// The function that finds values for the model rules. The arguments must outlive it.
Locate make_locate(const format::BlockContainer& container, const format::BlockPart& part,
                   const model::Tables& tables);

}  // namespace heapcheck::validation::mvmheap::v3
