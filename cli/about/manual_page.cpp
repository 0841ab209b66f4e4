#include <fmt/format.h>

#include <cctype>

#include "cli/about/manual.hpp"
#include "cli/about/roff.hpp"
#include "heapcheck/validate.hpp"

namespace heapcheck::cli {
namespace {

std::string to_upper(std::string_view name) {
  std::string text;
  for (const char c : name) text += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

/// The help of a command as the second half of its line in NAME: `check heap dumps against ...`.
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

std::string make_synopsis(const Command& command) {
  std::string text = fmt::format(".SH SYNOPSIS\n.B heapcheck {}\n", command.name);
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

std::string make_manual_page(const Command& command) {
  std::string text = fmt::format(
      ".\\\" Made from the table of commands.\n.TH HEAPCHECK\\-{} 1 \"\" \"heapcheck {}\" "
      "\"User Commands\"\n",
      escape_hyphens(to_upper(command.name)), version());
  text += fmt::format(".SH NAME\nheapcheck\\-{} \\- {}\n", command.name, make_purpose(command.help));
  text += make_synopsis(command);
  text += fmt::format(".SH DESCRIPTION\n{}\n", to_roff(command.manual));
  text += list_arguments(command) + list_own_options(command);
  return text +
         ".SH EXIT STATUS\nThe exit statuses of all commands are in\n.BR heapcheck (1).\n"
         ".SH SEE ALSO\n.BR heapcheck (1)\n";
}

}  // namespace heapcheck::cli
