#include "cli/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <ranges>

#include "formats/core/text/counted.hpp"
#include "formats/core/text/nearest.hpp"
#include "heapcheck/validate.hpp"

namespace heapcheck::cli {
namespace {

using Parsed = std::expected<Value, WrongValue>;

std::string_view trim_blanks(std::string_view text, std::string_view blanks = " \t") {
  const std::size_t first = std::min(text.find_first_not_of(blanks), text.size());
  return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

struct WholeNumber {
  std::uint64_t value;
  bool is_too_large;  ///< if true, `value` is the largest number
};

/// Accepts C's notation for octal and hexadecimal numbers.
std::optional<WholeNumber> parse_c_integer(std::string_view text) {
  const std::string copy(text);
  char* end = nullptr;
  errno = 0;
  const std::uint64_t number = std::strtoull(copy.c_str(), &end, 0);
  // strtoull() negates a number that has a sign.
  const bool is_number = !copy.empty() && end == copy.c_str() + copy.size() && !copy.contains('-');
  return is_number ? std::optional(WholeNumber{number, errno == ERANGE}) : std::nullopt;
}

/// The number of bytes in a unit such as `k`, `KB`, `Ki` or `kib`; nothing for any other string.
std::optional<std::uint64_t> parse_unit(std::string_view text) {
  std::string unit;
  for (const char c : text) unit += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (unit.empty() || unit == "b") return 1;
  const std::size_t prefix = std::string_view("kmgtpe").find(unit.front());
  const std::string rest = unit.substr(1);
  const bool is_unit =
      prefix != std::string_view::npos && (rest.empty() || rest == "b" || rest == "i" || rest == "ib");
  return is_unit ? std::optional(std::uint64_t{1} << (10 * (prefix + 1))) : std::nullopt;
}

Parsed parse_size(const Option& option, std::string_view text) {
  const WrongValue wrong{std::string(text), describe_expected(option)};
  const std::string_view trimmed = trim_blanks(text, " \t\n\v\f\r");
  const auto unit_begin = std::find_if_not(trimmed.rbegin(), trimmed.rend(), is_letter).base();
  const std::string_view digits = trim_blanks({trimmed.begin(), unit_begin});
  const std::string_view unit(unit_begin, trimmed.end());
  const auto factor = parse_unit(unit);
  // It would be huge as an unsigned number, but the user meant a number below 0.
  const bool is_negative = digits.starts_with('-') && unit.empty() && parse_c_integer(digits.substr(1));
  const auto number = is_negative ? WholeNumber{} : parse_c_integer(digits);
  if (!factor || !number) return std::unexpected(wrong);
  if (option.kind == ValueKind::limit && number->value == 0)
    return std::unexpected(WrongValue{std::string(trimmed), "1 byte or more"});
  if (is_negative) return std::unexpected(WrongValue{std::string(trimmed), "0 bytes or more"});
  constexpr std::uint64_t most_decimal = 999'999'999'999'999'999;  // a size has up to 18 decimal digits
  const std::uint64_t most = option.kind == ValueKind::size ? most_decimal : UINT64_MAX;
  if (number->is_too_large || number->value > most / *factor)
    return std::unexpected(WrongValue{std::string(trimmed), fmt::format("at most {} bytes", most)});
  return number->value * *factor;
}

Parsed parse_percent(const Option& option, std::string_view text) {
  constexpr double all = 100;
  const std::string copy(text);
  char* end = nullptr;
  const double number = std::strtod(copy.c_str(), &end);
  // strtod() also reads signs, exponents and `nan`.
  const bool is_plain = !copy.empty() && text.find_first_not_of("0123456789.") == std::string_view::npos;
  if (is_plain && end == copy.c_str() + copy.size() && number <= all) return number;
  return std::unexpected(WrongValue{copy, describe_expected(option)});
}

std::optional<WrongValue> check_pattern(std::string_view pattern) {
  const auto rules = find_rules(pattern);
  if (rules.empty())
    return WrongValue{std::string(pattern),
                      "the id of a rule or a pattern that matches one" + suggest_rule(pattern)};
  if (std::ranges::all_of(rules, [](const Rule* rule) { return rule->stage == Stage::limit; }))
    return WrongValue{std::string(pattern), "other rules, because limits are always reported"};
  return std::nullopt;
}

/// An item such as `mvm3.*=warning`.
std::optional<WrongValue> check_severity(std::string_view item) {
  const std::size_t sign = item.find('=');
  if (sign == std::string_view::npos)
    return WrongValue{std::string(item), "a rule and its level, such as mvm3.*=warning"};
  if (auto wrong = check_pattern(trim_blanks(item.substr(0, sign)))) return wrong;
  const std::string_view level = trim_blanks(item.substr(sign + 1));
  auto parsed = parse_choice({"error", "warning", "note", "off"}, level);
  if (parsed) return std::nullopt;
  return WrongValue{level.empty() ? "no level" : parsed.error().found, parsed.error().expected};
}

/// A list of patterns or levels, separated by commas. It remains a single string.
Parsed parse_list(const Option& option, std::string_view list) {
  const auto check = option.kind == ValueKind::rules ? check_pattern : check_severity;
  for (const std::string_view item : split_list(list)) {
    if (auto wrong = check(item)) return std::unexpected(std::move(*wrong));
  }
  return std::string(list);
}

}  // namespace

std::string WrongValue::message() const {
  return fmt::format("found {}, expected {}", found.empty() ? "no value" : found, expected);
}

std::expected<std::string, WrongValue> parse_choice(const Choices& choices, std::string_view text) {
  if (std::ranges::find(choices, text) != choices.end()) return std::string(text);
  return std::unexpected(
      WrongValue{std::string(text), core::join_words(choices, "or") + core::suggest_word(choices, text)});
}

std::vector<std::string_view> split_list(std::string_view list) {
  std::vector<std::string_view> items;
  for (const auto item : std::views::split(list, ','))
    items.push_back(trim_blanks({item.begin(), item.end()}));
  if (items.empty()) items.emplace_back();  // splitting an empty string yields no parts
  return items;
}

std::string describe_expected(const Option& option) {
  switch (option.kind) {
    case ValueKind::none:
      return "no value";
    case ValueKind::text:
      return "a string";
    case ValueKind::file:
      return "the path of a file";
    case ValueKind::choice:
      return core::join_words(choices_of(option), "or");
    case ValueKind::count:
      return fmt::format("a whole number from {} to {}", option.least, option.most);
    case ValueKind::limit:
    case ValueKind::size:
      return "a number of bytes, such as 1000 or 512M";
    case ValueKind::percent:
      return "a number from 0 to 100";
    case ValueKind::rules:
      return "the id of a rule or a pattern, such as mvm3.toc.*";
    case ValueKind::severities:
      return "a rule and its level, such as mvm3.toc.*=warning";
  }
  return {};
}

std::string describe_expected(const Argument& argument) {
  return argument.choices == nullptr ? std::string(argument.expected)
                                     : core::join_words(argument.choices(), "or");
}

Parsed parse_value(const Option& option, std::string_view text) {
  const WrongValue wrong{std::string(text), describe_expected(option)};
  switch (option.kind) {
    case ValueKind::none:
      return std::unexpected(wrong);
    case ValueKind::text:
      return std::string(text);
    case ValueKind::file:
      if (text.empty()) return std::unexpected(wrong);
      return std::string(text);
    case ValueKind::choice:
      return parse_choice(choices_of(option), text);
    case ValueKind::count:
      if (const auto number = parse_c_integer(text);
          number && number->value >= option.least && number->value <= option.most)
        return number->value;
      return std::unexpected(wrong);
    case ValueKind::limit:
    case ValueKind::size:
      return parse_size(option, text);
    case ValueKind::percent:
      return parse_percent(option, text);
    case ValueKind::rules:
    case ValueKind::severities:
      // The value remains a single string, because the library accepts lists as they were typed.
      return parse_list(option, text);
  }
  return std::unexpected(wrong);
}

Value default_of(const Option& option) {
  if (option.kind == ValueKind::none) return false;
  // The text is either the value itself or a description, for an option that does nothing by default.
  const bool has_value = option.kind == ValueKind::count || option.kind == ValueKind::choice;
  return has_value ? parse_value(option, option.default_text).value_or(Value()) : Value();
}

}  // namespace heapcheck::cli
