// Every rule there is, by id, put together from the arrays that end each header with rules. A rule that
// is not in the array of its header fails a test.
#pragma once

#include <span>
#include <string_view>

#include "heapcheck/finding.hpp"

namespace heapcheck::validation {

/// All rules, sorted by id.
std::span<const Rule* const> all_rules();

/// The rule of that id, or null.
const Rule* find_rule(std::string_view id);

}  // namespace heapcheck::validation
