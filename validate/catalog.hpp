// Every rule there is, by id. A rule that is raised but not listed here fails a test.
#pragma once

#include <span>
#include <string_view>

#include "formats/core/rule.hpp"

namespace heapcheck::validate {

/// All rules, sorted by id.
std::span<const core::Rule* const> all_rules();

/// The rule of that id, or null.
const core::Rule* find_rule(std::string_view id);

}  // namespace heapcheck::validate
