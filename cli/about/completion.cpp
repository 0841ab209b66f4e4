#include "cli/about/completion.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/about/commands.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "heapcheck/validate.hpp"

namespace heapcheck::cli {
namespace {

/// The index among the arguments as Argument::hints counts them, which does not count the dump.
std::size_t index_without_dump(const Command& command, std::size_t index) {
  const bool has_dump = command.arguments.front().kind == ValueKind::file;
  return has_dump && index > 0 ? index - 1 : index;
}

Offer offer_for_argument(const Command& command, std::size_t index) {
  const Argument& argument = command.arguments[std::min(index, command.arguments.size() - 1)];
  if (argument.kind == ValueKind::file) return {.has_files = true};
  if (argument.choices != nullptr) return {.words = argument.choices()};
  if (argument.hints != nullptr) return {.words = argument.hints(index_without_dump(command, index))};
  return {};
}

}  // namespace

Choices rule_ids() {
  Choices ids;
  for (const Rule* rule : all_rules()) ids.emplace_back(rule->id);
  return ids;
}

Offer offer_for(const Option& option) {
  if (option.kind == ValueKind::file) return {.has_files = true};
  if (option.hints != nullptr) return {.words = option.hints()};
  return {.words = choices_of(option)};
}

bool has_repeated_argument(const Command& command) {
  return !command.arguments.empty() && command.arguments.back().is_repeated;
}

std::vector<Offer> offers_for_arguments(const Command& command) {
  const std::size_t count = command.arguments.size() + (has_repeated_argument(command) ? 1 : 0);
  std::vector<Offer> offers;
  for (std::size_t i = 0; i < count; ++i) offers.push_back(offer_for_argument(command, i));
  return offers;
}

std::string quote_single(std::string_view text, std::string_view quote) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string(quote) : std::string(1, c);
  return quoted + "'";
}

std::string escape_each(std::string_view text, std::string_view characters) {
  std::string escaped;
  for (const char c : text) {
    if (characters.find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string join_words(const Choices& words) { return fmt::format("{}", fmt::join(words, " ")); }

int run_completion(const Values& values) {
  const auto shell = values.get<std::string>("SHELL");
  const std::string script = shell == "bash"  ? make_bash_completion()
                             : shell == "zsh" ? make_zsh_completion()
                                              : make_fish_completion();
  return write_output("", script) ? sound : usage;
}

}  // namespace heapcheck::cli
