#include "cli/suggestions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <vector>

#include "formats/core/text/counted.hpp"
#include "formats/core/text/nearest.hpp"

namespace heapcheck::cli {
namespace {

std::vector<std::string> names_of(std::span<const Option> options) {
  std::vector<std::string> names;
  for (const Option& option : options) names.emplace_back(option.name);
  return names;
}

bool is_same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

/// The option whose short name is that letter in either case or, failing that, the option whose name begins
/// with the letter.
std::string find_by_letter(char letter, std::span<const Option> options) {
  for (const Option& option : options) {
    if (is_same_letter(option.short_name, letter)) return fmt::format("-{}", option.short_name);
  }
  for (const Option& option : options) {
    if (is_same_letter(option.name.front(), letter)) return fmt::format("--{}", option.name);
  }
  return {};
}

/// The name of the option without its hyphens and value; empty for a short option.
std::string_view long_name(std::string_view typed) {
  if (!typed.starts_with("--")) return {};
  typed.remove_prefix(2);
  return typed.substr(0, typed.find('='));
}

std::string find_near(std::string_view typed, std::span<const Option> options) {
  const std::string_view name = long_name(typed);
  if (name.empty()) return typed.size() == 2 ? find_by_letter(typed[1], options) : std::string();
  const std::string nearest = core::find_nearest(name, names_of(options));
  return nearest.empty() ? nearest : "--" + nearest;
}

/// The suggestion for an option that other commands have: `; did you mean --output of validate, info and
/// rules`.
std::string suggest_elsewhere(std::string_view typed) {
  std::vector<std::string> all;
  for (const Command& command : program().commands)
    std::ranges::copy(names_of(command.options), std::back_inserter(all));
  const std::string nearest = core::find_nearest(long_name(typed), all);
  if (nearest.empty()) return {};
  std::vector<std::string> owners;
  for (const Command& command : program().commands) {
    if (find_option(command.options, nearest) != nullptr) owners.emplace_back(command.name);
  }
  if (nearest == long_name(typed))
    return fmt::format("; --{} is an option of {}", nearest, core::join_words(owners, "and"));
  return core::did_you_mean(fmt::format("--{} of {}", nearest, core::join_words(owners, "and")));
}

}  // namespace

std::string list_commands() {
  std::vector<std::string> names;
  for (const Command& command : program().commands) names.emplace_back(command.name);
  return core::join_words(names, "and");
}

std::string suggest_command(std::string_view typed) {
  std::vector<std::string> names;
  for (const Command& command : program().commands) names.emplace_back(command.name);
  const std::string nearest = core::find_nearest(typed, names);
  if (!nearest.empty()) return core::did_you_mean(nearest);
  const std::string option = core::find_nearest(typed, names_of(program().options));
  return option.empty() ? option : core::did_you_mean("--" + option);
}

std::string suggest_option(const Command* command, std::string_view typed) {
  std::string near = command == nullptr ? std::string() : find_near(typed, command->options);
  if (near.empty()) near = find_near(typed, program().options);
  if (command != nullptr && near == "--version") near = "`heapcheck --version`";
  if (near == "--verbose") near = "`heapcheck --version --verbose`";
  return near.empty() ? suggest_elsewhere(typed) : core::did_you_mean(near);
}

}  // namespace heapcheck::cli
