#include "cli/shell/completion.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/shell/commands.hpp"

namespace heapcheck::cli {
namespace {

/// Where the last word begins: after the last blank that is not in quotes.
std::size_t find_last_word(std::string_view line) {
  std::size_t begin = 0;
  bool is_quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') is_quoted = !is_quoted;
    if (line[i] == ' ' && !is_quoted) begin = i + 1;
  }
  return begin;
}

/// The argument in that place: the last one may be repeated.
const Argument* find_argument(const ShellCommand& command, std::size_t index) {
  if (command.arguments.empty()) return nullptr;
  const Argument& last = command.arguments.back();
  if (index < command.arguments.size()) return &command.arguments[index];
  return last.is_repeated ? &last : nullptr;
}

/// All words that may come after `words`.
Choices words_after(const std::vector<Word>& words) {
  Choices names;
  if (words.empty()) {
    for (const ShellCommand& command : shell_commands()) names.emplace_back(command.name);
    return names;
  }
  const auto command = find_shell_command(words.front());
  const Argument* const argument = command ? find_argument(**command, words.size() - 1) : nullptr;
  if (argument == nullptr) return names;
  if (argument->choices != nullptr) return argument->choices();
  return argument->hints == nullptr ? names : argument->hints(words.size() - 1);
}

/// `type="A \"B\""`, with quotes if there must be some.
std::string make_condition(std::string_view start, const std::string& name) {
  if (!name.empty() && name.find_first_of(" \t\"\\") == std::string::npos) return std::string(start) + name;
  std::string text = std::string(start) + '"';
  for (const char c : name) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + '"';
}

}  // namespace

std::vector<std::string> complete(std::string_view before,
                                  const std::function<std::vector<std::string>()>& type_names) {
  const std::size_t begin = find_last_word(before);
  const std::string_view typed = before.substr(begin);
  const auto words = parse_line(before.substr(0, begin));
  if (!words) return {};
  Choices found = words_after(*words);
  constexpr std::string_view condition = "type=";
  const bool is_condition =
      typed.starts_with(condition) && std::ranges::find(found, condition) != found.end();
  if (is_condition) {
    found.clear();
    for (const std::string& name : type_names()) found.push_back(make_condition(condition, name));
    std::ranges::sort(found);
  }
  std::erase_if(found, [typed](const std::string& word) { return !word.starts_with(typed); });
  return found;
}

}  // namespace heapcheck::cli
