#include "cli/suggestions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "heapcheck/validate.hpp"

namespace heapcheck::cli {
namespace {

/// The sum of the differences between bytes at the same position.
std::size_t byte_difference(std::string_view a, std::string_view b) {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    sum += static_cast<std::size_t>(std::abs(a[i] - b[i]));
  return sum;
}

/// Edits from the typed text to the word. If only the start of the word was typed, the rest counts as one
/// edit.
std::size_t count_edits(std::string_view typed, std::string_view word) {
  constexpr std::size_t least_begun = 3;
  if (typed.size() >= least_begun && typed.size() < word.size() && word.starts_with(typed)) return 1;
  return edit_distance(typed, word);
}

std::string did_you_mean(std::string_view words) {
  return words.empty() ? std::string() : fmt::format("; did you mean {}", words);
}

std::vector<std::string> names_of(std::span<const Option> options) {
  std::vector<std::string> names;
  for (const Option& option : options) names.emplace_back(option.name);
  return names;
}

bool is_same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

/// The option whose short name is that letter in either case, or else the option whose name begins with it.
std::string find_by_letter(char letter, std::span<const Option> options) {
  for (const Option& option : options) {
    if (is_same_letter(option.short_name, letter)) return fmt::format("-{}", option.short_name);
  }
  for (const Option& option : options) {
    if (is_same_letter(option.name.front(), letter)) return fmt::format("--{}", option.name);
  }
  return {};
}

/// The option's name without hyphens and value; empty for a short option.
std::string_view long_name(std::string_view typed) {
  if (!typed.starts_with("--")) return {};
  typed.remove_prefix(2);
  return typed.substr(0, typed.find('='));
}

std::string find_near(std::string_view typed, std::span<const Option> options) {
  const std::string_view name = long_name(typed);
  if (name.empty()) return typed.size() == 2 ? find_by_letter(typed[1], options) : std::string();
  const std::string nearest = find_nearest(name, names_of(options));
  return nearest.empty() ? nearest : "--" + nearest;
}

/// `validate`, `validate and info`, `validate, info and rules`.
std::string join(std::span<const std::string> names, std::string_view last) {
  if (names.size() < 2) return names.empty() ? std::string() : names.front();
  return fmt::format("{} {} {}", fmt::join(names.begin(), names.end() - 1, ", "), last, names.back());
}

/// The suggestion for an option that other commands have: `; did you mean --output of validate, info and
/// rules`.
std::string suggest_elsewhere(std::string_view typed) {
  std::vector<std::string> all;
  for (const Command& command : program().commands)
    std::ranges::copy(names_of(command.options), std::back_inserter(all));
  const std::string nearest = find_nearest(long_name(typed), all);
  if (nearest.empty()) return {};
  std::vector<std::string> owners;
  for (const Command& command : program().commands) {
    if (find_option(command.options, nearest) != nullptr) owners.emplace_back(command.name);
  }
  if (nearest == long_name(typed))
    return fmt::format("; --{} is an option of {}", nearest, join(owners, "and"));
  return did_you_mean(fmt::format("--{} of {}", nearest, join(owners, "and")));
}

/// The ids that contain the last part of the typed id.
std::string find_by_last_part(std::string_view id) {
  const std::string_view last = id.substr(id.rfind('.') == std::string_view::npos ? 0 : id.rfind('.') + 1);
  std::string ids;
  for (const Rule* rule : all_rules()) {
    if (last.size() < 3 || rule->id.find(last) == std::string_view::npos) continue;
    ids.append(ids.empty() ? "" : ", ").append(rule->id);
  }
  return ids;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Row i holds the distances from the first i bytes of a to each prefix of b.
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool is_swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string find_nearest(std::string_view typed, std::span<const std::string> words) {
  using Nearness = std::pair<std::size_t, std::size_t>;
  const std::size_t most = std::clamp<std::size_t>(typed.size() / 3, 1, 3);
  Nearness best{most + 1, 0};
  std::string nearest;
  for (const std::string& word : words) {
    const Nearness nearness{count_edits(typed, word), byte_difference(typed, word)};
    // A word that shares nothing with the typed text is not a correction of it.
    if (nearness.first >= std::max(typed.size(), word.size()) || !(nearness < best)) continue;
    best = nearness;
    nearest = word;
  }
  return nearest;
}

std::string join_with_or(std::span<const std::string> words) { return join(words, "or"); }

std::string list_commands() {
  std::vector<std::string> names;
  for (const Command& command : program().commands) names.emplace_back(command.name);
  return join(names, "and");
}

std::string suggest_command(std::string_view typed) {
  std::vector<std::string> names;
  for (const Command& command : program().commands) names.emplace_back(command.name);
  const std::string nearest = find_nearest(typed, names);
  if (!nearest.empty()) return did_you_mean(nearest);
  const std::string option = find_nearest(typed, names_of(program().options));
  return option.empty() ? option : did_you_mean("--" + option);
}

std::string suggest_option(const Command* command, std::string_view typed) {
  std::string near = command == nullptr ? std::string() : find_near(typed, command->options);
  if (near.empty()) near = find_near(typed, program().options);
  if (command != nullptr && near == "--version") near = "`heapcheck --version`";
  if (near == "--verbose") near = "`heapcheck --version --verbose`";
  return near.empty() ? suggest_elsewhere(typed) : did_you_mean(near);
}

std::string suggest_word(std::span<const std::string> words, std::string_view typed) {
  return did_you_mean(find_nearest(typed, words));
}

std::string suggest_rule(std::string_view typed) {
  std::vector<std::string> ids;
  for (const Rule* rule : all_rules()) {
    for (std::size_t dot = rule->id.find('.'); dot < rule->id.size(); dot = rule->id.find('.', dot + 1))
      ids.emplace_back(rule->id.substr(0, dot));
    ids.emplace_back(rule->id);
  }
  // For a pattern, the part before its last part was most likely misspelt.
  const std::string nearest = find_nearest(typed.substr(0, typed.find(".*")), ids);
  return did_you_mean(nearest.empty() ? find_by_last_part(typed) : nearest);
}

}  // namespace heapcheck::cli
