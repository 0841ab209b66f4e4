#include "cli/mcp/tools.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

#include "cli/check/command.hpp"
#include "cli/values.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/core/text/excerpt.hpp"
#include "formats/core/text/nearest.hpp"
#include "heapcheck/ask.hpp"

namespace heapcheck::cli::mcp {
namespace {

constexpr Option dump_id{.name = "dump",
                         .kind = ValueKind::text,
                         .is_required = true,
                         .help = "The id of an open dump, such as d1"};
constexpr Option later_ids{
    .name = "later",
    .kind = ValueKind::text,
    .is_repeated = true,
    .help = "The ids of later dumps of the same program, oldest first, to show what grew"};
/// Replaces the limit of the command line, which has no limit by default.
constexpr Option row_count{.name = "limit",
                           .kind = ValueKind::count,
                           .least = 1,
                           .most = 1000,
                           .default_text = "20",
                           .help = "Maximum number of rows in this answer; `more` shows the next ones"};
constexpr Option every_nth{.name = "every",
                           .kind = ValueKind::count,
                           .least = 1,
                           .most = UINT32_MAX,
                           .default_text = "1",
                           .help = "Show only every Nth snapshot"};

constexpr Option open_options[] = {
    {.name = "path",
     .kind = ValueKind::file,
     .is_required = true,
     .help = "The file, compressed or not; a relative path starts in the folder of the dumps"},
    {.name = "snapshot",
     .kind = ValueKind::count,
     .most = UINT32_MAX,
     .help = "The snapshot that later questions are about, counted from 0 (default: the last)"}};
constexpr Option more_options[] = {{.name = "cursor",
                                    .kind = ValueKind::text,
                                    .is_required = true,
                                    .help = "The value of `more` in the answer that goes on"}};
constexpr Option validate_tool_options[] = {{.name = "for",
                                             .kind = ValueKind::choice,
                                             .choices = reader_choices,
                                             .help = "Also check what this program requires of a file"},
                                            row_count};
constexpr Option explain_options[] = {{.name = "rule",
                                       .kind = ValueKind::text,
                                       .is_required = true,
                                       .help = "The id of a rule, such as mvm3.toc.entry-end"}};
constexpr Option output_option{.name = "output",
                               .kind = ValueKind::file,
                               .is_required = true,
                               .help = "The file to create; it must not exist yet"};
constexpr Option write_options[] = {output_option};

constexpr Tool table[] = {
    {"open", "Open a dump",
     "Opens a heap dump, checks it, and returns an id for all other tools. Start here.", Needs::nothing,
     false, false, open_options},
    {"list", "List the open dumps", "Lists the open dumps with their ids.", Needs::nothing},
    {"close", "Close a dump", "Closes a dump and frees its memory.", Needs::dump},
    {"more", "Show more of an answer", "Shows the rows that come after those of an earlier answer.",
     Needs::nothing, false, false, more_options},
    {"summary", "Summarise a dump", {}, Needs::dump, true},
    {"suspects", "Find what retains memory", {}, Needs::dumps, true},
    {"leaks", "Find leaks", {}, Needs::dumps, true},
    {"diff", "Compare dumps", {}, Needs::dumps, true},
    {"growth", "Find what grows", {}, Needs::dumps, true},
    {"top", "Find the largest types", {}, Needs::dump, true},
    {"tree", "Show allocation stacks", {}, Needs::dump, true},
    {"find", "Find nodes", {}, Needs::dump, true},
    {"count", "Count nodes", {}, Needs::dump, true},
    {"show", "Show a node", {}, Needs::dump, true},
    {"path", "Show why a node is alive", {}, Needs::dump, true},
    {"retainers", "Show what refers to a node", {}, Needs::dump, true},
    {"retained", "Find the nodes that retain most", {}, Needs::dump, true},
    {"dominators", "Show the dominator tree", {}, Needs::dump, true},
    {"unreachable", "Find unreachable nodes", {}, Needs::dump, true},
    {"duplicates", "Find equal strings", {}, Needs::dump, true},
    {"validate", "Check a dump",
     "Lists the violations of the rules of the format, with their places in the file.", Needs::dump, false,
     false, validate_tool_options},
    {"explain", "Explain a rule", "Explains a rule: the reason, an example, what readers do, and what to do.",
     Needs::nothing, false, false, explain_options},
    {"recover", "Keep the intact parts of a dump",
     "Writes the intact parts of a damaged dump to a new file as a valid dump, and says what was kept and "
     "dropped.",
     Needs::dump, false, true, write_options},
    {"report", "Write a page about a dump",
     "Writes a page with charts of memory usage and growth to a new HTML file.", Needs::dumps, false, true,
     write_options},
};

/// An argument of the command line as an option: `ID` becomes `id`.
Option make_option(std::string_view name, const Argument& argument) {
  return {.name = name,
          .kind = argument.choices == nullptr ? ValueKind::text : ValueKind::choice,
          .is_required = !argument.is_optional,
          .choices = argument.choices,
          .help = argument.help};
}

bool is_same_word(std::string_view lower, std::string_view upper) {
  return std::ranges::equal(lower, upper, {}, {}, [](unsigned char c) { return std::tolower(c); });
}

/// The option of the question as the command with the same name describes it. Nothing if the command does not
/// have it, because it is for programs.
std::optional<Option> find_parameter(const Command& command, std::string_view name) {
  // Conditions determine the exit status, which agents do not see.
  if (name == "fail-on" || name == "strict-names") return {};
  if (name == row_count.name) return row_count;
  if (name == every_nth.name) return every_nth;
  if (const Option* const option = find_option(command.options, name)) return *option;
  const auto argument = std::ranges::find_if(
      command.arguments, [name](const Argument& candidate) { return is_same_word(name, candidate.name); });
  if (argument == command.arguments.end()) return {};
  return make_option(name, *argument);
}

std::unexpected<Error> refuse_argument(const Option& option, std::string_view found) {
  // On the command line, a flag has no value.
  const std::string expected = option.kind == ValueKind::none ? "true or false" : describe_expected(option);
  return std::unexpected(Error{ErrorKind::unsupported, fmt::format("the argument `{}`: found {}, expected {}",
                                                                   option.name, found, expected)});
}

std::string describe(const OptionValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* count = std::get_if<std::uint64_t>(&value)) return fmt::to_string(*count);
  if (const auto* number = std::get_if<double>(&value)) return fmt::to_string(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return core::make_excerpt(*text);
  return std::holds_alternative<NoValue>(value) ? "null" : "an array";
}

/// Ids, words and paths are shorter; longer ones take a lot of time.
constexpr std::size_t most_text = 4096;
constexpr std::size_t most_items = 50;

/// What is too much about the strings of an argument, or nothing.
std::optional<std::string> find_excess(const OptionValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  const auto* items = std::get_if<std::vector<std::string>>(&value);
  if (items != nullptr && items->size() > most_items)
    return fmt::format("found {}, expected at most {}", core::counted(items->size(), "value"), most_items);
  const std::span<const std::string> texts = items != nullptr  ? std::span(*items)
                                             : text != nullptr ? std::span(text, 1)
                                                               : std::span<const std::string>();
  const auto longest = std::ranges::max_element(texts, {}, &std::string::size);
  if (longest == texts.end() || longest->size() <= most_text) return {};
  return fmt::format("found {}, expected at most {}", core::counted(longest->size(), "byte"), most_text);
}

/// Converts the value to the type that the option has.
Result<OptionValue> check_value(const Option& option, OptionValue value) {
  if (const auto excess = find_excess(value))
    return std::unexpected(
        Error{ErrorKind::unsupported, fmt::format("the argument `{}`: {}", option.name, *excess)});
  if (option.kind == ValueKind::none)
    return std::holds_alternative<bool>(value) ? Result<OptionValue>(value)
                                               : refuse_argument(option, describe(value));
  if (option.kind == ValueKind::count) {
    // In JSON Schema, 20.0 is an integer. Larger numbers are beyond what any option allows.
    const auto* number = std::get_if<double>(&value);
    if (number != nullptr && *number >= 0 && *number <= UINT32_MAX && *number == std::trunc(*number))
      value = static_cast<std::uint64_t>(*number);
    const auto* count = std::get_if<std::uint64_t>(&value);
    if (count == nullptr) return refuse_argument(option, describe(value));
    if (*count < option.least || *count > option.most) return refuse_argument(option, fmt::to_string(*count));
    return value;
  }
  if (const auto* number = std::get_if<std::uint64_t>(&value); number != nullptr && is_node(option))
    value = fmt::to_string(*number);
  if (option.is_repeated) {
    if (auto* one = std::get_if<std::string>(&value)) value = std::vector<std::string>{std::move(*one)};
    return std::holds_alternative<std::vector<std::string>>(value) ? Result<OptionValue>(std::move(value))
                                                                   : refuse_argument(option, describe(value));
  }
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return refuse_argument(option, describe(value));
  if (option.kind != ValueKind::choice) return value;
  const auto known = parse_choice(choices_of(option), *text);
  if (!known) {
    const WrongValue wrong{core::make_excerpt(known.error().found), known.error().expected};
    return std::unexpected(
        Error{ErrorKind::unsupported, fmt::format("the argument `{}`: {}", option.name, wrong.message())});
  }
  return value;
}

}  // namespace

std::string_view help_of(const Tool& tool) {
  const Command* const command = tool.is_question ? find_command(tool.name) : nullptr;
  return command == nullptr ? tool.help : command->help;
}

bool is_node(const Option& option) { return option.name == "id"; }

std::span<const Tool> tools() { return table; }

const Tool* find_tool(std::string_view name) {
  const auto found = std::ranges::find(table, name, &Tool::name);
  return found == std::end(table) ? nullptr : found;
}

std::vector<Option> parameters_of(const Tool& tool) {
  std::vector<Option> options;
  if (tool.needs != Needs::nothing) options.push_back(dump_id);
  if (tool.needs == Needs::dumps) options.push_back(later_ids);
  options.insert(options.end(), tool.options.begin(), tool.options.end());
  const Command* const command = tool.is_question ? find_command(tool.name) : nullptr;
  if (command == nullptr) return options;
  for (const std::string_view name : options_of(tool.name)) {
    if (const auto option = find_parameter(*command, name)) options.push_back(*option);
  }
  return options;
}

std::string name_arguments(const Tool& tool, std::string_view text) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz-";
  const std::vector<Option> parameters = parameters_of(tool);
  std::string named;
  while (true) {
    const std::size_t begin = std::min(text.find("--"), text.size());
    named += text.substr(0, begin);
    text.remove_prefix(begin);
    if (text.empty()) return named;
    const std::string_view word = text.substr(0, text.find_first_not_of(letters));
    const bool is_argument = std::ranges::find(parameters, word.substr(2), &Option::name) != parameters.end();
    named += is_argument ? fmt::format("`{}`", word.substr(2)) : std::string(word);
    text.remove_prefix(word.size());
  }
}

Result<OptionValues> check_arguments(const Tool& tool, OptionValues arguments,
                                     std::span<const std::string> unusable) {
  const std::vector<Option> parameters = parameters_of(tool);
  Choices names;
  for (const Option& option : parameters) names.emplace_back(option.name);
  OptionValues checked;
  for (auto& [name, value] : arguments) {
    const auto option = std::ranges::find(parameters, name, &Option::name);
    if (option == parameters.end())
      return std::unexpected(
          Error{ErrorKind::unsupported,
                fmt::format("found the argument {}, expected {}{}", core::make_excerpt(name),
                            names.empty() ? "none" : core::join_words(names, "or"),
                            core::suggest_word(names, name))});
    if (std::holds_alternative<NoValue>(value)) {
      if (std::ranges::find(unusable, name) != unusable.end())
        return refuse_argument(*option, "an object, or an array that contains other values");
      continue;
    }
    auto converted = check_value(*option, std::move(value));
    if (!converted) return std::unexpected(converted.error());
    checked.emplace(name, std::move(*converted));
  }
  for (const Option& option : parameters) {
    if (option.is_required && !checked.contains(option.name)) return refuse_argument(option, "none");
  }
  return checked;
}

}  // namespace heapcheck::cli::mcp
