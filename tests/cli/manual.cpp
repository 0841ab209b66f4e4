#include "tests/cli/manual.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "cli/command_table.hpp"

namespace heapcheck::tests {
namespace {

using cli::Command;
using cli::Option;

/// Options that are the same in all of these commands.
struct OptionGroup {
  std::vector<std::string_view> commands;
  std::vector<const Option*> options;
};

std::string bold(std::string_view text) {
  std::string escaped;
  for (const char c : text) escaped += c == '-' ? "\\-" : std::string(1, c);
  return fmt::format("\\fB{}\\fR", escaped);
}

std::string italic(std::string_view text) { return fmt::format("\\fI{}\\fR", text); }

/// Converts text of the table, in which `...` is bold and *...* is italic.
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

bool is_same(const Option& a, const Option& b) {
  return a.name == b.name && a.help == b.help && a.manual == b.manual &&
         describe_value(a) == describe_value(b);
}

/// The commands that have exactly this option.
std::vector<std::string_view> owners_of(const Option& option) {
  std::vector<std::string_view> owners;
  for (const Command& command : cli::program().commands) {
    const Option* own = find_option(command.options, option.name);
    if (own != nullptr && is_same(*own, option)) owners.push_back(command.name);
  }
  return owners;
}

/// The groups of options. The options that most commands share come first.
std::vector<OptionGroup> make_groups() {
  std::vector<OptionGroup> groups;
  for (const Command& command : cli::program().commands) {
    for (const Option& option : command.options) {
      auto owners = owners_of(option);
      if (owners.front() != command.name) continue;
      auto group = std::ranges::find(groups, owners, &OptionGroup::commands);
      if (group == groups.end()) group = groups.insert(groups.end(), {std::move(owners), {}});
      group->options.push_back(&option);
    }
  }
  // Not std::stable_sort: clang warns that the one in gcc 12's library uses a deprecated function.
  std::vector<OptionGroup> sorted;
  for (std::size_t count = cli::program().commands.size(); count > 0; --count) {
    for (const OptionGroup& group : groups) {
      if (group.commands.size() == count) sorted.push_back(group);
    }
  }
  return sorted;
}

constexpr std::size_t most_in_head = 3;  // choices that are shown next to the option's name

std::string describe_value(const Option& option, const cli::Choices& choices) {
  if (choices.empty() || choices.size() > most_in_head) return italic(option.placeholder);
  std::string words;
  for (const std::string& choice : choices) words.append(words.empty() ? "" : "|").append(bold(choice));
  return words;
}

std::string describe(const Option& option) {
  const cli::Choices choices = choices_of(option);
  std::string text = ".TP\n";
  if (option.short_name != '\0') text += bold(fmt::format("-{}", option.short_name)) + ", ";
  text += bold(fmt::format("--{}", option.name));
  if (!option.placeholder.empty()) text += " " + describe_value(option, choices);
  text += "\n" + to_roff(option.manual) + "\n";
  if (choices.size() > most_in_head) {
    std::string words;
    for (const std::string& choice : choices) words.append(words.empty() ? "" : ", ").append(bold(choice));
    text += fmt::format("One of {}.\n", words);
  }
  if (!option.default_text.empty()) text += fmt::format("Default: {}.\n", option.default_text);
  return text;
}

}  // namespace

std::string make_manual_lists() {
  std::string text = ".SH COMMANDS\n";
  for (const Command& command : cli::program().commands)
    text += fmt::format(".TP\n{}\n{}\n", bold(command.name), to_roff(command.manual));
  text += ".SH OPTIONS\n.SS All commands\n";
  for (const Option& option : cli::program().options) {
    if (option.name != "help") text += ".SS Without a command\n";
    text += describe(option);
  }
  for (const OptionGroup& group : make_groups()) {
    const auto last = group.commands.end() - 1;
    text += fmt::format(".SS {}{}{}\n", fmt::join(group.commands.begin(), last, ", "),
                        last == group.commands.begin() ? "" : " and ", *last);
    for (const Option* option : group.options) text += describe(*option);
  }
  return text;
}

}  // namespace heapcheck::tests
