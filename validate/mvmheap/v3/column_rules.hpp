// Rules over the lengths of the columns of one part of a version 3 file.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "formats/mvmheap/v3/container.hpp"
#include "formats/mvmheap/v3/part.hpp"

namespace heapcheck::validation::mvmheap::v3 {

namespace format = heapcheck::mvmheap::v3;

namespace rules {

inline constexpr Rule column_length{"mvm3.column.length",
                                    Severity::error,
                                    Stage::check,
                                    "the columns of one table are equally long",
                                    "Rows would be put together from values that do not belong together.",
                                    "mvmheap/v3.md#columns",
                                    "0.1"};

}  // namespace rules

/// mvm3.column.length, for collectables, references, types and static frames.
void check_column_lengths(const format::BlockContainer& container, const format::BlockPart& part,
                          core::FindingSink& sink);

}  // namespace heapcheck::validation::mvmheap::v3
