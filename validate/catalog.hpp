// All rules, sorted by id. They are collected from the arrays at the ends of the headers that contain rules.
// A test fails if a rule is missing from its header's array.
#pragma once

#include <span>
#include <string_view>

#include "heapcheck/types/finding.hpp"
#include "heapcheck/types/report.hpp"

namespace heapcheck::validation {

/// All rules, sorted by id.
std::span<const Rule* const> all_rules();

/// The rule with that id, or null.
const Rule* find_rule(std::string_view id);

/// Whether a violation of the rule can change an answer that involves nodes, edges, names or sizes. Other
/// violations are in parts that no question uses, or in totals and positions that are computed again.
bool affects_answers(const Finding& finding);

/// The rule that a file in an unknown format violates. Report::error states how the file violates it.
const Rule& rule_of_unread(const Report& report);

}  // namespace heapcheck::validation
