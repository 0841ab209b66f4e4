// Rules over the lengths of the columns of one part of a version 3 file.
#pragma once

#include <array>

#include "formats/core/finding_sink.hpp"
#include "formats/mvmheap/v3/container.hpp"
#include "formats/mvmheap/v3/part.hpp"

namespace heapcheck::validation::mvmheap::v3::rules {

inline constexpr Rule column_length{
    .id = "mvm3.column.length",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "the columns of one table are equally long",
    .reason = "Rows would be put together from values that do not belong together.",
    .anchor = "mvmheap/v3.md#columns",
    .since = "0.1",
};

inline constexpr std::array column_rules{&column_length};

}  // namespace heapcheck::validation::mvmheap::v3::rules

namespace heapcheck::validation::mvmheap::v3 {

namespace format = heapcheck::mvmheap::v3;

/// mvm3.column.length, for collectables, references, types and static frames.
void check_column_lengths(const format::BlockContainer& container, const format::BlockPart& part,
                          core::FindingSink& sink);

}  // namespace heapcheck::validation::mvmheap::v3
