// Reads the words of a line as the arguments and options of a command.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cli/ask/options.hpp"
#include "cli/option_values.hpp"
#include "cli/shell/commands.hpp"
#include "cli/suggestions.hpp"

namespace heapcheck::cli {
namespace {

/// What stands for a missing word: its name or, if there are few, all words that may be there.
std::string describe_argument(const Argument& argument) {
  if (argument.choices == nullptr) return fmt::format("{}: {}", argument.name, argument.help);
  return join_with_or(argument.choices());
}

/// Whether the shell was started with this option. A line may have the others, and those about its answer.
bool is_of_shell(const Option& option) { return find_option(question_options, option.name) != nullptr; }
bool is_for_lines(const Option& option) {
  return !is_of_shell(option) || option.name == row_limit.name || option.name == answer_form.name;
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

Result<Value> read_value(const Option& option, const Word* word) {
  if (word == nullptr) return std::unexpected(describe_unexpected(nullptr, describe_expected(option)));
  auto value = parse_value(option, word->text);
  if (!value) return std::unexpected(describe_unexpected(word, value.error().expected));
  return std::move(*value);
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
    const bool has_value = (*option)->kind != ValueKind::none;
    if (has_value) ++i;
    auto value = has_value ? read_value(**option, i < words.size() ? &words[i] : nullptr) : Value(true);
    if (!value) return std::unexpected(value.error());
    values.slot((*option)->name) = std::move(*value);
  }
  return others;
}

/// Takes the words of the argument from the start of `words`.
Result<Value> take_argument(const Argument& argument, std::span<const Word>& words) {
  if (words.empty() && !argument.is_optional)
    return std::unexpected(describe_unexpected(nullptr, describe_argument(argument)));
  const std::size_t count = std::min(words.size(), argument.is_repeated ? words.size() : 1);
  std::vector<std::string> texts;
  for (const Word& word : words.first(count)) {
    texts.emplace_back(word.text);
    if (argument.choices == nullptr) continue;
    if (const auto known = parse_choice(argument.choices(), word.text); !known)
      return std::unexpected(describe_unexpected(&word, known.error().expected));
  }
  words = words.subspan(count);
  if (argument.is_repeated) return texts;
  return texts.empty() ? Value() : Value(texts.front());
}

}  // namespace

Result<Values> read_words(const ShellCommand& command, std::span<const Word> line, const Values& options) {
  Values values = options;
  // The others have the values that the shell was started with.
  for (const Option& option : command.options) {
    if (!is_of_shell(option)) values.slot(option.name) = default_of(option);
  }
  const auto others = take_options(command, line, values);
  if (!others) return std::unexpected(others.error());
  std::span<const Word> words = *others;
  for (const Argument& argument : command.arguments) {
    auto value = take_argument(argument, words);
    if (!value) return std::unexpected(value.error());
    values.slot(argument.name) = std::move(*value);
  }
  if (!words.empty()) return std::unexpected(describe_unexpected(&words.front(), "the end of the line"));
  return values;
}

}  // namespace heapcheck::cli
