#include "cli/about/pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

#include "heapcheck/validate.hpp"

namespace heapcheck::cli {
namespace {

constexpr std::size_t most_in_head = 3;  // the largest number of choices that are shown next to an option

/// The text with its hyphens escaped, because roff may output a plain `-` as a character that cannot be
/// pasted into a command line.
std::string escape_hyphens(std::string_view text) {
  std::string escaped;
  for (const char c : text) escaped += c == '-' ? "\\-" : std::string(1, c);
  return escaped;
}

std::string bold(std::string_view text) { return fmt::format("\\fB{}\\fR", escape_hyphens(text)); }

std::string italic(std::string_view text) { return fmt::format("\\fI{}\\fR", text); }

/// Converts text from the command table to roff, with `...` in bold and *...* in italics.
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

/// The help, followed by the text of the manual. In the help, `placeholder` and options are set in a
/// different font.
std::string describe_in_roff(std::string_view help, std::string_view manual, std::string_view placeholder) {
  std::string text;
  for (std::string_view rest = help; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view part = rest.substr(0, end);
    const std::size_t word_end = part.find_last_not_of(",;:") + 1;
    const std::string_view word = part.substr(0, word_end);
    text += word.starts_with("--") ? bold(word) : word == placeholder ? italic(word) : std::string(word);
    text += part.substr(word_end);
    if (end == rest.size()) break;
    text += ' ';
    rest.remove_prefix(end + 1);
  }
  return text + (manual.empty() ? ".\n" : ".\n" + to_roff(manual) + "\n");
}

std::string value_to_roff(const Option& option, const Choices& choices) {
  if (choices.empty() || choices.size() > most_in_head) return italic(option.placeholder);
  std::string words;
  for (const std::string& choice : choices) words.append(words.empty() ? "" : "|").append(bold(choice));
  return words;
}

/// Options that are identical in several commands, and those commands.
struct OptionGroup {
  std::vector<std::string_view> commands;
  std::vector<const Option*> options;
};

std::string make_manual(const Option& option) {
  if (option.manual_of_choices == nullptr) return std::string(option.manual);
  return option.manual_of_choices() + std::string(option.manual);
}

bool is_same_option(const Option& a, const Option& b) {
  return a.name == b.name && a.help == b.help && a.manual == b.manual &&
         describe_value(a) == describe_value(b);
}

/// The commands that have exactly this option.
std::vector<std::string_view> owners_of(const Option& option) {
  std::vector<std::string_view> owners;
  for (const Command& command : program().commands) {
    const Option* own = find_option(command.options, option.name);
    if (own != nullptr && is_same_option(*own, option)) owners.push_back(command.name);
  }
  return owners;
}

/// The groups of options, starting with the groups that the largest number of commands share.
std::vector<OptionGroup> make_option_groups() {
  std::vector<OptionGroup> groups;
  for (const Command& command : program().commands) {
    for (const Option& option : command.options) {
      auto owners = owners_of(option);
      if (owners.front() != command.name) continue;
      auto group = std::ranges::find(groups, owners, &OptionGroup::commands);
      if (group == groups.end()) group = groups.insert(groups.end(), {std::move(owners), {}});
      group->options.push_back(&option);
    }
  }
  // Does not use std::stable_sort, because clang warns that gcc 12's version calls a deprecated function.
  std::vector<OptionGroup> sorted;
  for (std::size_t count = program().commands.size(); count > 0; --count) {
    for (const OptionGroup& group : groups) {
      if (group.commands.size() == count) sorted.push_back(group);
    }
  }
  return sorted;
}

std::string to_upper(std::string_view name) {
  std::string text;
  for (const char c : name) text += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

/// The help of a command, reworded as the second half of its line in the NAME section: `check heap dumps
/// against ...`.
std::string make_purpose(std::string_view help) {
  std::string text(help);
  text.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(text.front())));
  return escape_hyphens(text);
}

/// `FILE`, `[ID]`, `PATH...`
std::string argument_to_roff(const Argument& argument) {
  std::string text = italic(argument.name);
  if (argument.is_repeated) text += "...";
  return argument.is_optional ? fmt::format("[{}]", text) : text;
}

/// The synopsis of the command, with one line for each word, because each word has its own font.
std::string make_synopsis(const Command& command) {
  std::string text = fmt::format(".B heapcheck {}\n", command.name);
  if (!command.options.empty()) text += ".RI [ OPTION ]...\n";
  for (const Option& option : command.options) {
    if (option.is_required)
      text += fmt::format("{} {}\n", bold(fmt::format("--{}", option.name)), italic(option.placeholder));
  }
  for (const Argument& argument : command.arguments) text += argument_to_roff(argument) + "\n";
  return text;
}

std::string list_arguments(const Command& command) {
  if (command.arguments.empty()) return {};
  std::string text = ".SH ARGUMENTS\n";
  for (const Argument& argument : command.arguments)
    text += fmt::format(".TP\n{}\n{}.\n", argument_to_roff(argument), escape_hyphens(argument.help));
  return text;
}

std::string list_own_options(const Command& command) {
  std::string text = ".SH OPTIONS\n" + option_to_roff(*find_option(program().options, "help"));
  for (const Option& option : command.options) text += option_to_roff(option);
  return text;
}

}  // namespace

std::string option_to_roff(const Option& option) {
  const Choices choices = choices_of(option);
  std::string text = ".TP\n";
  if (option.short_name != '\0') text += bold(fmt::format("-{}", option.short_name)) + ", ";
  text += bold(fmt::format("--{}", option.name));
  if (!option.placeholder.empty()) text += " " + value_to_roff(option, choices);
  text += "\n" + describe_in_roff(option.help, make_manual(option), option.placeholder);
  if (choices.size() > most_in_head) {
    std::string words;
    for (const std::string& choice : choices) words.append(words.empty() ? "" : ", ").append(bold(choice));
    text += fmt::format("One of {}.\n", words);
  }
  if (!option.excludes.empty())
    text += fmt::format("Cannot be combined with {}.\n", bold(fmt::format("--{}", option.excludes)));
  if (!option.default_text.empty()) text += fmt::format("Default: {}.\n", option.default_text);
  return text;
}

std::string make_manual_synopsis() {
  std::string text = ".SH SYNOPSIS\n";
  for (const Command& command : program().commands) text += make_synopsis(command) + ".br\n";
  return text + ".B heapcheck\n.BR \\-\\-help | \\-\\-version\n.RB [ \\-\\-verbose ]\n";
}

std::string make_manual_lists() {
  std::string text = ".SH COMMANDS\n";
  for (const Command& command : program().commands)
    text +=
        fmt::format(".TP\n{}\n{}", bold(command.name), describe_in_roff(command.help, command.manual, {}));
  text += ".SH OPTIONS\n.SS All commands\n" + option_to_roff(*find_option(program().options, "help"));
  text += ".SS Without a command\n";
  for (const Option& option : program().options) {
    if (option.name != "help") text += option_to_roff(option);
  }
  for (const OptionGroup& group : make_option_groups()) {
    const auto last = group.commands.end() - 1;
    text += fmt::format(".SS {}{}{}\n", fmt::join(group.commands.begin(), last, ", "),
                        last == group.commands.begin() ? "" : " and ", *last);
    for (const Option* option : group.options) text += option_to_roff(*option);
  }
  return text;
}

std::string make_manual_page(const Command& command) {
  std::string text = fmt::format(
      ".\\\" Generated from the command table.\n"
      ".TH HEAPCHECK\\-{} 1 \"\" \"heapcheck {}\" \"User Commands\"\n",
      escape_hyphens(to_upper(command.name)), version());
  text += fmt::format(".SH NAME\nheapcheck\\-{} \\- {}\n", command.name, make_purpose(command.help));
  text += ".SH SYNOPSIS\n" + make_synopsis(command);
  text += ".SH DESCRIPTION\n" + describe_in_roff(command.help, command.manual, {});
  text += list_arguments(command) + list_own_options(command);
  return text +
         ".SH EXIT STATUS\nThe exit statuses of all commands are listed in\n.BR heapcheck (1).\n"
         ".SH SEE ALSO\n.BR heapcheck (1)\n";
}

}  // namespace heapcheck::cli
