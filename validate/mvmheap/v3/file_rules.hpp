// Rules over a version 3 file as a whole.
#pragma once

#include "heapcheck/finding.hpp"

namespace heapcheck::validation::mvmheap::v3::rules {

inline constexpr Rule file_unfinished{
    "mvm3.file.unfinished",
    Severity::note,
    Stage::check,
    "the file ends with the part that closes the run",
    "The process ended between two snapshots. What it wrote can be read; what came later was not recorded.",
    "mvmheap/v3.md#file",
    "0.1"};

}  // namespace heapcheck::validation::mvmheap::v3::rules
