// Which rules are reported, and with which severity. In: patterns over the ids of rules. Out: for each rule,
// the record to report it under, or none. Everything that it points to is static.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapcheck/types/finding.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::validation {

/// The rules that a pattern stands for, sorted by id: those whose id, or the start of it up to a dot,
/// matches. `mvm3.toc` stands for all rules below it; there may be `*`, `?` and `[...]` in a pattern. Empty
/// if there are none, or it is not a pattern.
[[nodiscard]] std::vector<const Rule*> find_rules(std::string_view pattern);

/// The same rule with that severity: static, like the rule.
[[nodiscard]] const Rule* with_severity(const Rule* rule, Severity severity);

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

  /// The rule as it is reported: with the chosen severity; null if it is not reported.
  [[nodiscard]] const Rule* apply(const Rule* rule) const {
    const auto found = changed_.find(rule->id);
    return found == changed_.end() ? rule : found->second;
  }

 private:
  std::map<std::string_view, const Rule*> changed_;  // by id; null if it is not reported
};

}  // namespace heapcheck::validation
