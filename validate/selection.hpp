// Selects the rules that are reported, and their severities. The input consists of patterns for rule ids. The
// output is, for each rule, the severity at which it is reported, or none.
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

/// The rules that match a pattern, sorted by id. A rule matches if its whole id matches, or if the start of
/// its id up to a dot does: `mvm3.toc` matches all rules below it. A pattern may contain `*` and `?`. Empty
/// if no rule matches or the text is not a pattern.
[[nodiscard]] std::vector<const Rule*> find_rules(std::string_view pattern);

/// The suggestion for a pattern that matches no rule, to append to an error: `; did you mean mvm3.toc`. Empty
/// if no id is similar.
[[nodiscard]] std::string suggest_rule(std::string_view typed);

class Selection {
 public:
  /// All rules, with their own severities.
  Selection() = default;

  /// Each string is a comma-separated list of patterns or, in `severities`, of items such as
  /// `mvm3.*=warning`. If `selected` is empty, all rules are selected; `ignored` removes rules from the
  /// selection. If a rule is given several severities, the last one takes effect; `off` means that the rule
  /// is ignored. Rules about limits are always reported. Rules that are then reported with the severity
  /// `hidden`, or a lower one, are ignored. Errors: unsupported if a pattern does not match any rule that can
  /// be selected.
  [[nodiscard]] static Result<Selection> make(std::span<const std::string> selected,
                                              std::span<const std::string> ignored,
                                              std::span<const std::string> severities,
                                              std::optional<Severity> hidden = {});

  /// The severity at which findings of the rule are reported; empty if they are not reported.
  [[nodiscard]] std::optional<Severity> severity_of(const Rule& rule) const {
    const auto found = changed_.find(rule.id);
    const std::optional<Severity> severity = found == changed_.end() ? rule.severity : found->second;
    return severity && severity <= hidden_ && rule.stage != Stage::limit ? std::nullopt : severity;
  }

 private:
  // By id, because a reader can have its own record for a rule.
  std::map<std::string_view, std::optional<Severity>> changed_;
  std::optional<Severity> hidden_;
};

}  // namespace heapcheck::validation
