// Rules that a heap must meet, such as `at-most 100 objects type="Session"`. docs/guarding.md describes them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "heapcheck/types/answers.hpp"
#include "heapcheck/types/format.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::analyze {

/// What a rule requires.
enum class Requirement : std::uint8_t {
  absent,         ///< no node of the last snapshot matches the query
  at_most,        ///< the nodes of the last snapshot that match do not exceed the amount
  not_rising,     ///< they do not grow by more than the amount in every step from snapshot to snapshot
  slope_at_most,  ///< they do not grow by more than the amount for each snapshot, on average
  no_new_leak,    ///< no leak that is not known grows by the amount or more in every step
};

/// A number of nodes or bytes, or a share of something in percent.
struct RuleAmount {
  double number = 0;
  bool is_percentage = false;
};

/// The growth of a leak below which `no-new-leak` ignores it, unless the rule states another one: caches and
/// compiled code still change by less than this when a program has warmed up.
inline constexpr RuleAmount default_leak_amount{.number = 0.1, .is_percentage = true};

struct GuardRule {
  std::string text;              ///< as it was given, without the formats
  std::optional<Family> family;  ///< the formats to which it applies; none for all
  Requirement requirement{};
  RuleAmount amount = {};
  TopBy by = TopBy::count;  ///< what the amount counts
  std::string query = {};   ///< empty for `no_new_leak`
};

/// Parses a rule. Errors: unsupported, with a message that names the word that was not understood, its
/// position, and the expected words.
[[nodiscard]] Result<GuardRule> parse_guard_rule(std::string_view text);

/// The number that an amount stands for; a percentage refers to `whole`.
[[nodiscard]] constexpr double resolve(const RuleAmount& amount, double whole) {
  return amount.is_percentage ? amount.number / 100 * whole : amount.number;
}

/// By how much the values change from each one to the next, according to the straight line that is nearest to
/// them. There must be at least two.
[[nodiscard]] double find_slope(std::span<const double> values);

}  // namespace heapcheck::analyze
