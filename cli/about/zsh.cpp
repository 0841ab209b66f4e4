// The completion for zsh: the arguments of `_arguments`, for each command.
#include <fmt/format.h>

#include <algorithm>

#include "cli/about/completion.hpp"

namespace heapcheck::cli {
namespace {

constexpr std::string_view special_in_help = "\\[]:$`";
constexpr std::string_view special_in_words = "\\[](){}:;&|<>*?~#$`\"' ";

std::string quote_for_zsh(std::string_view text) { return quote_single(text, "'\\''"); }

/// `:FORM:(text json)`
std::string describe_offer(std::string_view placeholder, const Offer& offer) {
  std::string text = fmt::format(":{}:", escape_each(placeholder, special_in_help));
  if (offer.has_files) return text + "_files";
  if (offer.words.empty()) return text + " ";  // a value for which nothing is offered
  Choices escaped;
  for (const std::string& word : offer.words) escaped.push_back(escape_each(word, special_in_words));
  return text + fmt::format("({})", join_words(escaped));
}

/// The lines of an option, of which one with a short name has two.
std::string make_zsh_option(std::string_view indent, const Option& option) {
  const bool has_value = option.kind != ValueKind::none;
  const bool has_short = option.short_name != '\0';
  std::string rest = fmt::format("[{}]", escape_each(option.help, special_in_help));
  if (has_value) rest += describe_offer(option.placeholder, offer_for(option));
  std::string both = option.is_repeated ? "*" : "";
  if (has_short && !option.is_repeated) both = fmt::format("(-{} --{})", option.short_name, option.name);
  std::string text;
  const auto add = [&](const std::string& name) {
    text += fmt::format(" \\\n{}{}", indent, quote_for_zsh(both + name + rest));
  };
  if (has_short) add(fmt::format("-{}{}", option.short_name, has_value ? "+" : ""));
  add(fmt::format("--{}{}", option.name, has_value ? "=" : ""));
  return text;
}

std::string make_zsh_argument(const Command& command, std::size_t index, const Offer& offer) {
  const Argument& argument = command.arguments[std::min(index, command.arguments.size() - 1)];
  const bool is_rest = index >= command.arguments.size();
  const std::string place = is_rest ? "*" : fmt::format("{}{}", index + 1, argument.is_optional ? ":" : "");
  return quote_for_zsh(place + describe_offer(argument.name, offer));
}

std::string make_zsh_command(const Command& command) {
  constexpr std::string_view indent = "            ";
  std::string text = fmt::format("        {})\n          _arguments -s -S", command.name);
  text += make_zsh_option(indent, *find_option(program().options, "help"));
  for (const Option& option : command.options) text += make_zsh_option(indent, option);
  const std::vector<Offer> offers = offers_for_arguments(command);
  for (std::size_t i = 0; i < offers.size(); ++i)
    text += fmt::format(" \\\n{}{}", indent, make_zsh_argument(command, i, offers[i]));
  return text + "\n          ;;\n";
}

std::string list_zsh_commands() {
  std::string text;
  for (const Command& command : program().commands) {
    text += fmt::format("        {}\n",
                        quote_for_zsh(fmt::format("{}:{}", command.name, escape_each(command.help, ":"))));
  }
  return text;
}

}  // namespace

std::string make_zsh_completion() {
  std::string text =
      "#compdef heapcheck\n"
      "# Completes the command lines of heapcheck in zsh. Made by `heapcheck completion zsh`.\n\n"
      "_heapcheck() {\n  local state\n  local -a commands line\n  _arguments -s -S -C";
  for (const Option& option : program().options) text += make_zsh_option("    ", option);
  text +=
      " \\\n    '1: :->command' \\\n    '*:: :->arguments'\n  case $state in\n"
      "    command)\n      commands=(\n";
  text += list_zsh_commands();
  text += "      )\n      _describe -t commands command commands\n      ;;\n";
  text += "    arguments)\n      case $words[1] in\n";
  for (const Command& command : program().commands) text += make_zsh_command(command);
  return text +
         "      esac\n      ;;\n  esac\n}\n\n"
         "if [[ $funcstack[1] == _heapcheck ]]; then\n  _heapcheck \"$@\"\nelse\n"
         "  compdef _heapcheck heapcheck\nfi\n";
}

}  // namespace heapcheck::cli
