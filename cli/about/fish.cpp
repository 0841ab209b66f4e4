// The completion for fish: a list of rules, each with the condition under which it applies.
#include <fmt/format.h>

#include <algorithm>

#include "cli/about/completion.hpp"

namespace heapcheck::cli {
namespace {

constexpr std::string_view before_command = "-n __fish_use_subcommand";

std::string quote_for_fish(std::string_view text) { return quote_single(escape_each(text, "\\"), "\\'"); }

/// The words that are offered. Fish reads them like the words of a command.
std::string offer_words(const Choices& words) {
  return words.empty() ? std::string()
                       : fmt::format(" -a {}", quote_for_fish(escape_each(join_words(words), "<>~\"'")));
}

std::string make_fish_option(std::string_view condition, const Option& option) {
  const Offer offer = offer_for(option);
  std::string text = fmt::format("complete -c heapcheck {}", condition);
  if (option.short_name != '\0') text += fmt::format(" -s {}", option.short_name);
  text += fmt::format(" -l {}", option.name);
  if (option.kind != ValueKind::none) text += offer.has_files ? " -r -F" : " -x";
  return text + offer_words(offer.words) + fmt::format(" -d {}\n", quote_for_fish(option.help));
}

/// Fish does not count arguments, so all words are offered for each of them.
std::string make_fish_arguments(std::string_view condition, const Command& command) {
  bool has_files = false;
  std::string text;
  for (const Offer& offer : offers_for_arguments(command)) {
    has_files = has_files || offer.has_files;
    if (offer.words.empty()) continue;
    text += fmt::format("complete -c heapcheck {}{}\n", condition, offer_words(offer.words));
  }
  return has_files ? text + fmt::format("complete -c heapcheck {} -F\n", condition) : text;
}

}  // namespace

std::string make_fish_completion() {
  std::string text =
      "# Completes the command lines of heapcheck in fish. Made by `heapcheck completion fish`.\n"
      "complete -c heapcheck -f\n";
  for (const Option& option : program().options) text += make_fish_option(before_command, option);
  for (const Command& command : program().commands) {
    text += fmt::format("complete -c heapcheck {} -a {} -d {}\n", before_command, command.name,
                        quote_for_fish(command.help));
  }
  for (const Command& command : program().commands) {
    const std::string condition = fmt::format("-n '__fish_seen_subcommand_from {}'", command.name);
    text += make_fish_option(condition, *find_option(program().options, "help"));
    for (const Option& option : command.options) text += make_fish_option(condition, option);
    text += make_fish_arguments(condition, command);
  }
  return text;
}

}  // namespace heapcheck::cli
