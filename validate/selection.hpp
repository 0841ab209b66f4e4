// Which rules are reported, and with which severity. In: patterns over the ids of rules. Out: for each rule,
// the severity with which it is reported, or none.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapcheck/types/finding.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::validation {

/// The rules that a pattern stands for, sorted by id: those whose id, or the start of it up to a dot,
/// matches. `mvm3.toc` stands for all rules below it; there may be `*` and `?` in a pattern. Empty if there
/// are none, or it is not a pattern.
[[nodiscard]] std::vector<const Rule*> find_rules(std::string_view pattern);

class Selection {
 public:
  /// All rules, with their own severities.
  Selection() = default;

  /// Each text is a list separated by commas: of patterns, or in `severities` of items such as
  /// `mvm3.*=warning`. If `selected` is empty, all rules are selected; `ignored` takes rules out again. Of
  /// several severities for a rule, the last one counts; `off` ignores it. Rules about limits are always
  /// reported. Errors: unsupported, for a pattern that matches no rule that can be chosen.
  [[nodiscard]] static Result<Selection> make(std::span<const std::string> selected,
                                              std::span<const std::string> ignored,
                                              std::span<const std::string> severities);

  /// The severity with which findings of the rule are reported; empty if they are not.
  [[nodiscard]] std::optional<Severity> severity_of(const Rule& rule) const {
    const auto found = changed_.find(rule.id);
    return found == changed_.end() ? rule.severity : found->second;
  }

 private:
  // By id, because a reader can have a record of its own for a rule.
  std::map<std::string_view, std::optional<Severity>> changed_;
};

}  // namespace heapcheck::validation
