#include "analyze/answers/conditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "formats/core/text/counted.hpp"
#include "formats/core/text/excerpt.hpp"

namespace heapcheck {

std::string_view name_of(CheckedCondition::Outcome outcome) {
  switch (outcome) {
    case CheckedCondition::Outcome::holds:
      return "holds";
    case CheckedCondition::Outcome::violated:
      return "violated";
    case CheckedCondition::Outcome::undecided:
      break;
  }
  return "undecided";
}

}  // namespace heapcheck

namespace heapcheck::analyze::answers {
namespace {

using Outcome = CheckedCondition::Outcome;

std::string show_condition(const CheckedCondition& condition) {
  std::string text =
      fmt::format("{}: {}\n", name_of(condition.outcome), core::shorten(condition.condition, SIZE_MAX));
  if (condition.outcome == Outcome::holds) return text;
  text += fmt::format("{}\n", condition.text);
  if (!condition.fingerprint.empty()) text += fmt::format("fingerprint {}\n", condition.fingerprint);
  if (!condition.details.empty()) text += "\n" + condition.details;
  return text + "\n";
}

}  // namespace

std::string count_outcomes(std::span<const CheckedCondition> conditions) {
  const auto count = [&](Outcome outcome) {
    return std::ranges::count(conditions, outcome, &CheckedCondition::outcome);
  };
  if (conditions.empty()) return "no conditions";
  std::vector<std::string> parts;
  for (const Outcome outcome : {Outcome::violated, Outcome::undecided, Outcome::holds}) {
    const std::string_view name = name_of(outcome);
    const core::Noun word(name, outcome == Outcome::holds ? "hold" : name);
    const auto found = static_cast<std::uint64_t>(count(outcome));
    if (found != 0) parts.push_back(core::counted(found, word));
  }
  return fmt::format("{}: {}", core::counted(conditions.size(), core::Noun("condition", "conditions")),
                     fmt::join(parts, ", "));
}

std::string show_conditions(std::span<const CheckedCondition> conditions, std::size_t most) {
  std::string text;
  std::size_t shown = 0;
  for (const Outcome outcome : {Outcome::violated, Outcome::undecided, Outcome::holds}) {
    for (const CheckedCondition& condition : conditions) {
      if (condition.outcome == outcome && shown++ < most) text += show_condition(condition);
    }
  }
  if (shown > most) text += fmt::format("and {} more; --limit N shows N conditions\n", shown - most);
  return text + count_outcomes(conditions) + "\n";
}

}  // namespace heapcheck::analyze::answers
