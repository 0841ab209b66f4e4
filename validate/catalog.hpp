// Every rule there is, by id. A rule that is raised but not listed here fails a test.
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
