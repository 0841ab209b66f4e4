// Reads the words of a line as the arguments and options of a command.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "cli/ask/options.hpp"
#include "cli/shell/commands.hpp"
#include "cli/suggestions.hpp"
#include "formats/core/text/parse_number.hpp"

namespace heapcheck::cli {
namespace {

/// What stands for a missing word: its name or, if there are few, all words that may be there.
std::string describe_argument(const Argument& argument) {
  if (argument.choices == nullptr) return fmt::format("{}: {}", argument.name, argument.help);
  return join_with_or(argument.choices());
}

Result<void> check_choice_of(const Argument& argument, const Word& word) {
  if (argument.choices == nullptr) return {};
  const Choices choices = argument.choices();
  if (std::ranges::find(choices, word.text) != choices.end()) return {};
  return std::unexpected(
      describe_unexpected(&word, describe_argument(argument) + suggest_word(choices, word.text)));
}

/// Whether the shell was started with this option. A line may have the others, and those about its answer.
bool is_of_shell(const Option& option) { return find_option(question_options, option.name) != nullptr; }
bool is_for_lines(const Option& option) {
  return !is_of_shell(option) || option.name == row_limit.name || option.name == answer_form.name;
}

/// The options that only the command has get their defaults.
void add_defaults(const ShellCommand& command, Values& values) {
  for (const Option& option : command.options) {
    if (is_of_shell(option)) continue;
    Value& value = values.slot(option.name);
    if (option.kind == ValueKind::none) value = false;
    if (option.kind == ValueKind::count) {
      if (const auto number = core::parse_number(option.default_text)) value = *number;
    }
    if (option.kind == ValueKind::choice) value = std::string(option.default_text);
  }
}

/// `--limit=5` as the two words that it stands for.
std::vector<Word> split_options(std::span<const Word> words) {
  std::vector<Word> split;
  for (const Word& word : words) {
    const std::size_t equals = word.text.starts_with("--") ? word.text.find('=') : std::string_view::npos;
    split.push_back({word.text.substr(0, equals), word.offset});
    if (equals != std::string_view::npos)
      split.push_back({word.text.substr(equals + 1), word.offset + equals + 1});
  }
  return split;
}

Result<const Option*> find_option_of(const ShellCommand& command, const Word& word) {
  const Option* const option = find_option(command.options, word.text.substr(2));
  if (option != nullptr && is_for_lines(*option)) return option;
  Choices names;
  for (const Option& known : command.options) {
    if (is_for_lines(known)) names.push_back(fmt::format("--{}", known.name));
  }
  if (names.empty()) return std::unexpected(describe_unexpected(&word, "no option"));
  return std::unexpected(
      describe_unexpected(&word, fmt::format("{}{}", join_with_or(names), suggest_word(names, word.text))));
}

Result<Value> parse_value(const Option& option, const Word* word) {
  if (option.kind == ValueKind::count) {
    const auto number = word == nullptr ? std::nullopt : core::parse_number(word->text);
    if (number && *number >= option.least && *number <= option.most) return *number;
    return std::unexpected(
        describe_unexpected(word, fmt::format("a whole number from {} to {}", option.least, option.most)));
  }
  const Choices choices = choices_of(option);
  if (word != nullptr && std::ranges::find(choices, word->text) != choices.end())
    return std::string(word->text);
  return std::unexpected(describe_unexpected(word, join_with_or(choices)));
}

/// Sets the options in `line`, and returns the other words.
Result<std::vector<Word>> take_options(const ShellCommand& command, std::span<const Word> line,
                                       Values& values) {
  const std::vector<Word> words = split_options(line);
  std::vector<Word> others;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].text.starts_with("--")) {
      others.push_back(words[i]);
      continue;
    }
    const auto option = find_option_of(command, words[i]);
    if (!option) return std::unexpected(option.error());
    Result<Value> value = true;
    if ((*option)->kind != ValueKind::none)
      value = parse_value(**option, i + 1 < words.size() ? &words[i + 1] : nullptr);
    if (!value) return std::unexpected(value.error());
    if ((*option)->kind != ValueKind::none) ++i;
    values.slot((*option)->name) = std::move(*value);
  }
  return others;
}

}  // namespace

Result<Values> read_words(const ShellCommand& command, std::span<const Word> line, const Values& options) {
  Values values = options;
  add_defaults(command, values);
  const auto others = take_options(command, line, values);
  if (!others) return std::unexpected(others.error());
  std::span<const Word> words = *others;
  for (const Argument& argument : command.arguments) {
    Value& value = values.slot(argument.name);
    if (words.empty() && !argument.is_optional)
      return std::unexpected(describe_unexpected(nullptr, describe_argument(argument)));
    const std::size_t count = std::min(words.size(), argument.is_repeated ? words.size() : 1);
    std::vector<std::string> texts;
    for (const Word& word : words.first(count)) {
      if (const auto checked = check_choice_of(argument, word); !checked)
        return std::unexpected(checked.error());
      texts.emplace_back(word.text);
    }
    if (argument.is_repeated) value = std::move(texts);
    if (!argument.is_repeated && count != 0) value = std::string(words.front().text);
    words = words.subspan(count);
  }
  if (!words.empty()) return std::unexpected(describe_unexpected(&words.front(), "the end of the line"));
  return values;
}

}  // namespace heapcheck::cli
