#include "cli/about/roff.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heapcheck::cli {
namespace {

constexpr std::size_t most_in_head = 3;  // choices that are shown next to the option's name

std::string value_to_roff(const Option& option, const Choices& choices) {
  if (choices.empty() || choices.size() > most_in_head) return italic(option.placeholder);
  std::string words;
  for (const std::string& choice : choices) words.append(words.empty() ? "" : "|").append(bold(choice));
  return words;
}

}  // namespace

std::string escape_hyphens(std::string_view text) {
  std::string escaped;
  for (const char c : text) escaped += c == '-' ? "\\-" : std::string(1, c);
  return escaped;
}

std::string bold(std::string_view text) { return fmt::format("\\fB{}\\fR", escape_hyphens(text)); }

std::string italic(std::string_view text) { return fmt::format("\\fI{}\\fR", text); }

std::string to_roff(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t mark = std::min(text.find_first_of("`*"), text.size());
    out += text.substr(0, mark);
    if (mark == text.size()) break;
    const std::size_t end = text.find(text[mark], mark + 1);
    const std::string_view marked = text.substr(mark + 1, end - mark - 1);
    out += text[mark] == '`' ? bold(marked) : italic(marked);
    text.remove_prefix(end + 1);
  }
  return out;
}

std::string option_to_roff(const Option& option) {
  const Choices choices = choices_of(option);
  std::string text = ".TP\n";
  if (option.short_name != '\0') text += bold(fmt::format("-{}", option.short_name)) + ", ";
  text += bold(fmt::format("--{}", option.name));
  if (!option.placeholder.empty()) text += " " + value_to_roff(option, choices);
  text += "\n" + to_roff(option.manual) + "\n";
  if (choices.size() > most_in_head) {
    std::string words;
    for (const std::string& choice : choices) words.append(words.empty() ? "" : ", ").append(bold(choice));
    text += fmt::format("One of {}.\n", words);
  }
  if (!option.default_text.empty()) text += fmt::format("Default: {}.\n", option.default_text);
  return text;
}

}  // namespace heapcheck::cli
