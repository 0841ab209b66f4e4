// Conditions on heaps as human-readable text. Reports on them, which other programs read, are in
// analyze/answers/report.hpp.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "heapcheck/types/table.hpp"

namespace heapcheck::analyze::answers {

/// The conditions in human-readable form: those that do not hold first, each with what was found and the
/// path. At most `most` of them are shown.
[[nodiscard]] std::string show_conditions(std::span<const CheckedCondition> conditions,
                                          std::size_t most = SIZE_MAX);

/// `4 conditions: 2 violated, 1 undecided`.
[[nodiscard]] std::string count_outcomes(std::span<const CheckedCondition> conditions);

}  // namespace heapcheck::analyze::answers
