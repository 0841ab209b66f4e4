#include "cli/config/rule_lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/suggestions.hpp"
#include "heapcheck/validate.hpp"

namespace heapcheck::cli {
namespace {

std::string_view trim_blanks(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of(" \t"), text.size());
  return text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

std::string check_pattern(std::string_view pattern) {
  const auto rules = find_rules(pattern);
  if (rules.empty())
    return fmt::format("found {}, expected the id of a rule or a pattern that matches one{}",
                       pattern.empty() ? "no value" : pattern, suggest_rule(pattern));
  if (std::ranges::all_of(rules, [](const Rule* rule) { return rule->stage == Stage::limit; }))
    return fmt::format("found {}, expected other rules, because limits are always reported", pattern);
  return {};
}

std::string check_level(std::string_view level) {
  static const std::array<std::string, 4> levels{"error", "warning", "note", "off"};
  if (std::ranges::find(levels, level) != levels.end()) return {};
  return fmt::format("found {}, expected error, warning, note or off{}", level.empty() ? "no level" : level,
                     suggest_word(levels, level));
}

std::string check_severity(std::string_view item) {
  const std::size_t sign = item.find('=');
  if (sign == std::string_view::npos)
    return fmt::format("found {}, expected a rule and its level, such as mvm3.*=warning",
                       item.empty() ? "no value" : item);
  std::string wrong = check_pattern(trim_blanks(item.substr(0, sign)));
  return wrong.empty() ? check_level(trim_blanks(item.substr(sign + 1))) : wrong;
}

/// The first error that `check` finds in an item of the list.
template <class Check>
std::string check_items(std::string_view list, Check check) {
  while (true) {
    const std::size_t comma = std::min(list.find(','), list.size());
    std::string wrong = check(trim_blanks(list.substr(0, comma)));
    if (!wrong.empty() || comma == list.size()) return wrong;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace

std::string check_rules(std::string_view list) { return check_items(list, check_pattern); }
std::string check_severities(std::string_view list) { return check_items(list, check_severity); }

}  // namespace heapcheck::cli
