// Rules on the lengths of the columns in one part of a version 3 file.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "formats/mvmheap/v3/container.hpp"
#include "formats/mvmheap/v3/part.hpp"
#include "validate/mvmheap/v3/rules.hpp"

namespace heapcheck::validation::mvmheap::v3 {

namespace format = heapcheck::mvmheap::v3;

/// mvm3.column.length, for collectables, references, types and static frames.
void check_column_lengths(const format::BlockContainer& container, const format::BlockPart& part,
                          core::FindingSink& sink);

/// mvm3.block.empty for the blocks of a part that add rows to the shared tables.
void check_empty_blocks(const format::BlockContainer& container, const format::BlockPart& part,
                        core::FindingSink& sink);

/// mvm3.comma.entry-size, for every column of a part.
void check_entry_sizes_for_comma(const format::BlockContainer& container, const format::BlockPart& part,
                                 core::FindingSink& sink);

}  // namespace heapcheck::validation::mvmheap::v3
