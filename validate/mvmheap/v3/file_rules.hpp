// Rules over a version 3 file as a whole.
#pragma once

#include <array>

#include "heapcheck/finding.hpp"

namespace heapcheck::validation::mvmheap::v3::rules {

inline constexpr Rule file_unfinished{
    .id = "mvm3.file.unfinished",
    .severity = Severity::note,
    .stage = Stage::check,
    .title = "the file ends with the part that closes the run",
    .reason =
        "The process ended between two snapshots. What it wrote can be read; what came later was not "
        "recorded.",
    .anchor = "mvmheap/v3.md#file",
    .since = "0.1",
};

inline constexpr std::array file_rules{&file_unfinished};

}  // namespace heapcheck::validation::mvmheap::v3::rules
