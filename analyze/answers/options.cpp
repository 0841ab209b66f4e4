#include "analyze/answers/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <utility>

#include "formats/core/text/counted.hpp"
#include "formats/core/text/excerpt.hpp"
#include "formats/core/text/nearest.hpp"
#include "formats/core/text/parse_number.hpp"

namespace heapcheck::analyze::answers {
namespace {

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  for (const auto word : std::views::split(text, ' ')) words.emplace_back(word.begin(), word.end());
  return words;
}

std::string describe_expected(const OptionRule& rule) {
  switch (rule.kind) {
    case OptionKind::flag:
      return "true or false";
    case OptionKind::count:
      return fmt::format("a whole number from {} to {}", rule.least, rule.most);
    case OptionKind::list:
      return "strings";
    case OptionKind::text:
      break;
  }
  return rule.choices.empty() ? "a string" : core::join_words(split_words(rule.choices), "or");
}

std::string describe_found(const OptionValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* count = std::get_if<std::uint64_t>(&value)) return fmt::to_string(*count);
  if (const auto* number = std::get_if<double>(&value)) return fmt::to_string(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return core::make_excerpt(*text);
  return "several strings";
}

/// The value, converted to the type of the option if possible, but not checked.
OptionValue adapt(const OptionRule& rule, const OptionValue& value) {
  if (const auto* texts = std::get_if<std::vector<std::string>>(&value);
      texts != nullptr && rule.kind == OptionKind::text)
    return fmt::format("{}", fmt::join(*texts, " "));
  if (const auto* text = std::get_if<std::string>(&value); text != nullptr && rule.kind == OptionKind::list)
    return std::vector{*text};
  return value;
}

bool fits(const OptionRule& rule, const OptionValue& value) {
  if (rule.kind == OptionKind::flag) return std::holds_alternative<bool>(value);
  if (rule.kind == OptionKind::list) return std::holds_alternative<std::vector<std::string>>(value);
  if (const auto* count = std::get_if<std::uint64_t>(&value))
    return rule.kind == OptionKind::count && rule.least <= *count && *count <= rule.most;
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr || rule.kind != OptionKind::text) return false;
  const auto choices = split_words(rule.choices);
  return rule.choices.empty() || std::ranges::find(choices, *text) != choices.end();
}

/// The value of the option if it is not given.
OptionValue make_fallback(const OptionRule& rule) {
  if (rule.fallback.empty()) return {};
  if (rule.kind != OptionKind::count) return std::string(rule.fallback);
  return core::parse_number(rule.fallback).value_or(0);
}

/// The values that are given. An empty value or an empty list means no value, so that a caller can pass on
/// all its options.
OptionValues leave_out_missing(const OptionValues& values) {
  OptionValues given;
  for (const auto& [name, value] : values) {
    const auto* texts = std::get_if<std::vector<std::string>>(&value);
    const bool is_given = texts == nullptr ? !std::holds_alternative<NoValue>(value) : !texts->empty();
    if (is_given) given.emplace(name, value);
  }
  return given;
}

}  // namespace

Result<Options> Options::make(std::span<const OptionRule> rules, const OptionValues& values) {
  Options made;
  OptionValues given = leave_out_missing(values);
  for (const OptionRule& rule : rules) {
    const auto found = given.find(rule.name);
    if (found == given.end()) {
      if (rule.is_required)
        return refuse(fmt::format("{}: found nothing, expected {}", rule.name, describe_expected(rule)));
      made.values_.emplace(rule.name, make_fallback(rule));
      continue;
    }
    OptionValue value = adapt(rule, found->second);
    if (!fits(rule, value))
      return refuse(fmt::format("{}: found {}, expected {}", rule.name, describe_found(value),
                                describe_expected(rule)));
    made.values_.emplace(rule.name, std::move(value));
    given.erase(found);
  }
  if (given.empty()) return made;
  std::vector<std::string> names;
  for (const OptionRule& rule : rules) names.emplace_back(rule.name);
  const std::string& unknown = given.begin()->first;
  return refuse(fmt::format("found the option \"{}\", expected {}{}", core::make_excerpt(unknown),
                            core::join_words(names, "or"), core::suggest_word(names, unknown)));
}

std::size_t Options::most_rows() const {
  const std::uint64_t most = count("limit");
  return most == 0 ? SIZE_MAX : static_cast<std::size_t>(most);
}

}  // namespace heapcheck::analyze::answers
