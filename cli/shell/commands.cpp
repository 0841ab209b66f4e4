#include "cli/shell/commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "cli/ask/comparing_options.hpp"
#include "cli/ask/options.hpp"
#include "cli/shell/session.hpp"
#include "cli/suggestions.hpp"
#include "cli/values.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/core/text/nearest.hpp"

namespace heapcheck::cli {
namespace {

/// The options of diff and growth that only affect the answer, for questions about several snapshots.
constexpr Option change_options[] = {answer_form, rows_of, changes_by, row_limit};
constexpr Option increase_options[] = {answer_form, rows_of, growth_by, row_limit};
constexpr Argument indices_arguments[] = {
    {.name = "N",
     .is_repeated = true,
     .help = "The indices of two or three snapshots, or of one that is compared with the last",
     .expected = "the indices of up to three snapshots"}};

Choices command_names() {
  Choices names;
  for (const ShellCommand& command : shell_commands()) names.emplace_back(command.name);
  return names;
}

constexpr Argument index_arguments[] = {
    {.name = "N", .help = "The index of the snapshot", .expected = "the index of a snapshot"}};

constexpr Argument help_arguments[] = {
    {.name = "COMMAND", .is_optional = true, .help = "The command to describe", .hints = [](std::size_t) {
       return command_names();
     }}};

Result<void> print_help(Session& session, const Values& values) {
  const auto name = values.find<std::string>("COMMAND");
  if (!name) {
    session.print(describe_shell_commands());
    return {};
  }
  const auto command = find_shell_command({.text = *name, .offset = std::string_view("help ").size()});
  if (!command) return std::unexpected(command.error());
  session.print(describe_shell_command(**command));
  return {};
}
Result<void> list_snapshots(Session& session, const Values& /*values*/) { return session.list_snapshots(); }
Result<void> select_snapshot(Session& session, const Values& values) {
  return session.select(values.get<std::string>("N"));
}
Result<void> show_changes(Session& session, const Values& values) {
  return session.ask_about_dump("diff", values);
}
Result<void> show_growth(Session& session, const Values& values) {
  return session.ask_about_dump("growth", values);
}
Result<void> show_more(Session& session, const Values& /*values*/) { return session.show_more(); }
Result<void> end_session(Session& session, const Values& /*values*/) {
  session.end();
  return {};
}

/// All commands that are not questions about one snapshot.
constexpr ShellCommand own_commands[] = {
    {.name = "diff",
     .help = "Show what changes from one snapshot to another",
     .arguments = indices_arguments,
     .options = change_options,
     .run = show_changes},
    {.name = "growth",
     .help = "Show what grows over all snapshots",
     .options = increase_options,
     .run = show_growth},
    {.name = "more", .help = "Show the next rows of the last answer", .run = show_more},
    {.name = "snapshots", .help = "List the snapshots of the file", .run = list_snapshots},
    {.name = "snapshot",
     .help = "Select snapshot N for all later questions",
     .arguments = index_arguments,
     .run = select_snapshot},
    {.name = "help",
     .short_name = "?",
     .help = "List the commands, or describe one of them",
     .arguments = help_arguments,
     .run = print_help},
    {.name = "exit", .help = "End the shell", .run = end_session},
    {.name = "quit", .short_name = "q", .help = "End the shell", .run = end_session},
};

/// A command from the command line, without the arguments that concern the file.
ShellCommand make_question(const Command& command) {
  const auto after_file = command.arguments.subspan(1);
  const auto end = std::ranges::find(after_file, true, &Argument::is_about_dump);
  return {.name = command.name,
          .help = command.help,
          .manual = command.manual,
          .arguments = {after_file.begin(), end},
          .options = command.options,
          .question = command.name};
}

/// Whether the command asks a question about one snapshot, which the shell has read.
bool is_about_snapshot(const Command& command) {
  return command.run == nullptr &&
         std::ranges::find(own_commands, command.name, &ShellCommand::name) == std::end(own_commands);
}

std::vector<ShellCommand> make_table() {
  std::vector<ShellCommand> table;
  for (const Command& command : program().commands) {
    if (!is_about_snapshot(command)) continue;
    ShellCommand question = make_question(command);
    if (command.name == "summary")
      question.help = "Show the size of the snapshot and the kinds of nodes in it";
    table.push_back(question);
    if (command.name != "retainers") continue;
    question.name = "incidents";
    question.help = "The same as retainers, under the name that MoarVM uses";
    table.push_back(question);
  }
  std::ranges::copy(own_commands, std::back_inserter(table));
  return table;
}

/// `snapshot N`, `top WHAT [ORDER]`.
std::string describe_usage(const ShellCommand& command) {
  std::string text(command.name);
  for (const Argument& argument : command.arguments)
    text += argument.is_optional ? fmt::format(" [{}]", argument.name) : fmt::format(" {}", argument.name);
  return command.short_name.empty() ? text : fmt::format("{}, {}", text, command.short_name);
}

/// Whether the option is given when the shell is started. The lines of the shell may contain all other
/// options, except those that name files to write, and those options of the shell that limit or format an
/// answer.
bool is_of_shell(const Option& option) {
  // In the shell, `snapshot N` selects the dump of a process.
  return find_option(question_options, option.name) != nullptr || option.name == process_choice.name;
}
bool is_for_lines(const Option& option) {
  const bool is_of_line =
      !is_of_shell(option) || option.name == row_limit.name || option.name == answer_form.name;
  return is_of_line && option.kind != ValueKind::file;
}

/// Splits words such as `--limit=5` into two.
std::vector<Word> split_options(std::span<const Word> words) {
  std::vector<Word> split;
  for (const Word& word : words) {
    const std::size_t equals = word.text.starts_with("--") ? word.text.find('=') : std::string_view::npos;
    split.push_back({word.text.substr(0, equals), word.offset});
    if (equals != std::string_view::npos)
      split.push_back({word.text.substr(equals + 1), word.offset + equals + 1});
  }
  return split;
}

Result<const Option*> find_option_of(const ShellCommand& command, const Word& word) {
  const Option* const option = find_option(command.options, word.text.substr(2));
  if (option != nullptr && is_for_lines(*option)) return option;
  Choices names;
  for (const Option& known : command.options) {
    if (is_for_lines(known)) names.push_back(fmt::format("--{}", known.name));
  }
  if (names.empty()) return std::unexpected(describe_unexpected(&word, "no option"));
  return std::unexpected(describe_unexpected(
      &word, fmt::format("{}{}", core::join_words(names, "or"), core::suggest_word(names, word.text))));
}

/// The text of a word without the quotes around it, as another shell would pass it to a command.
std::string unquote(std::string_view word) {
  const char quote = word.empty() ? ' ' : word.front();
  const bool is_quoted = word.size() > 1 && (quote == '"' || quote == '\'') && word.back() == quote;
  if (!is_quoted) return std::string(word);
  std::string text;
  for (std::size_t i = 1; i + 1 < word.size(); ++i) {
    const bool is_escape = quote == '"' && word[i] == '\\' && (word[i + 1] == '"' || word[i + 1] == '\\');
    text += word[is_escape ? ++i : i];
  }
  return text;
}

Result<Value> read_value(const Option& option, const Word* word) {
  if (word == nullptr) return std::unexpected(describe_unexpected(nullptr, describe_expected(option)));
  auto value = parse_value(option, unquote(word->text));
  if (!value) return std::unexpected(describe_unexpected(word, value.error().expected));
  return std::move(*value);
}

/// Sets the options in `line` and returns the remaining words.
Result<std::vector<Word>> take_options(const ShellCommand& command, std::span<const Word> line,
                                       Values& values) {
  const std::vector<Word> words = split_options(line);
  std::vector<Word> others;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].text.starts_with("--")) {
      others.push_back(words[i]);
      continue;
    }
    const auto option = find_option_of(command, words[i]);
    if (!option) return std::unexpected(option.error());
    const bool has_value = (*option)->kind != ValueKind::none;
    if (has_value) ++i;
    auto value = has_value ? read_value(**option, i < words.size() ? &words[i] : nullptr) : Value(true);
    if (!value) return std::unexpected(value.error());
    values.slot((*option)->name) = std::move(*value);
  }
  return others;
}

/// Removes the words of the argument from the start of `words` and returns them as a value. A single word
/// loses its quotes. If there are several words, quotes are part of the query.
Result<Value> take_argument(const Argument& argument, std::span<const Word>& words) {
  if (words.empty() && !argument.is_optional)
    return std::unexpected(describe_unexpected(nullptr, describe_expected(argument)));
  const std::size_t count = std::min(words.size(), argument.is_repeated ? words.size() : 1);
  std::vector<std::string> texts;
  for (const Word& word : words.first(count)) {
    texts.push_back(count == 1 ? unquote(word.text) : std::string(word.text));
    if (argument.choices == nullptr) continue;
    if (const auto known = parse_choice(argument.choices(), texts.back()); !known)
      return std::unexpected(describe_unexpected(&word, known.error().expected));
  }
  words = words.subspan(count);
  if (argument.is_repeated) return texts;
  return texts.empty() ? Value() : Value(texts.front());
}

/// The offset at which the last word begins: after the last space that is not in quotes.
std::size_t find_last_word(std::string_view line) {
  std::size_t begin = 0;
  bool is_quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') is_quoted = !is_quoted;
    if (line[i] == ' ' && !is_quoted) begin = i + 1;
  }
  return begin;
}

/// The argument at that position. The last argument may be repeated.
const Argument* find_argument(const ShellCommand& command, std::size_t index) {
  if (command.arguments.empty()) return nullptr;
  const Argument& last = command.arguments.back();
  if (index < command.arguments.size()) return &command.arguments[index];
  return last.is_repeated ? &last : nullptr;
}

/// All words that may come after `words`.
Choices words_after(const std::vector<Word>& words) {
  Choices names;
  if (words.empty()) return command_names();
  const auto command = find_shell_command(words.front());
  const Argument* const argument = command ? find_argument(**command, words.size() - 1) : nullptr;
  if (argument == nullptr) return names;
  if (argument->choices != nullptr) return argument->choices();
  return argument->hints == nullptr ? names : argument->hints(words.size() - 1);
}

/// `type="A \"B\""`, with quotes only if they are needed.
std::string make_condition(std::string_view start, const std::string& name) {
  if (!name.empty() && name.find_first_of(" \t\"\\") == std::string::npos) return std::string(start) + name;
  std::string text = std::string(start) + '"';
  for (const char c : name) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + '"';
}

}  // namespace

std::span<const ShellCommand> shell_commands() {
  static const std::vector<ShellCommand> table = make_table();
  return table;
}

Result<const ShellCommand*> find_shell_command(const Word& word) {
  const auto table = shell_commands();
  const auto found = std::ranges::find_if(table, [&word](const ShellCommand& command) {
    return word.text == command.name || (!word.text.empty() && word.text == command.short_name);
  });
  if (found != table.end()) return &*found;
  const std::string suggestion = core::suggest_word(command_names(), word.text);
  return std::unexpected(describe_unexpected(
      &word, "a command" + (suggestion.empty() ? "; `help` lists the commands" : suggestion)));
}

std::string describe_shell_commands() {
  std::string text;
  for (const ShellCommand& command : shell_commands())
    fmt::format_to(std::back_inserter(text), "{:<18}  {}\n", describe_usage(command), command.help);
  return text;
}

std::string describe_shell_command(const ShellCommand& command) {
  std::string text = fmt::format("{}\n\n{}\n", describe_usage(command), command.help);
  if (!command.manual.empty()) text += make_plain(command.manual) + "\n";
  std::string words;
  const auto add = [&words](std::string_view word, std::string_view help) {
    if (!help.empty()) fmt::format_to(std::back_inserter(words), "  {:<16}  {}\n", word, help);
  };
  for (const Argument& argument : command.arguments) add(argument.name, argument.help);
  for (const Option& option : command.options) {
    if (is_for_lines(option)) add(fmt::format("--{} {}", option.name, option.placeholder), option.help);
  }
  return words.empty() ? text : text + "\n" + words;
}

Result<Values> read_words(const ShellCommand& command, std::span<const Word> line, const Values& options) {
  Values values = options;
  // The shell's own options keep the values with which it was started.
  for (const Option& option : command.options) {
    if (!is_of_shell(option)) values.slot(option.name) = default_of(option);
  }
  const auto others = take_options(command, line, values);
  if (!others) return std::unexpected(others.error());
  std::span<const Word> words = *others;
  for (const Argument& argument : command.arguments) {
    auto value = take_argument(argument, words);
    if (!value) return std::unexpected(value.error());
    values.slot(argument.name) = std::move(*value);
  }
  if (!words.empty()) return std::unexpected(describe_unexpected(&words.front(), "the end of the line"));
  return values;
}

std::vector<std::string> complete(std::string_view before,
                                  const std::function<std::vector<std::string>()>& type_names) {
  const std::size_t begin = find_last_word(before);
  const std::string_view typed = before.substr(begin);
  const auto words = parse_line(before.substr(0, begin));
  if (!words) return {};
  Choices found = words_after(*words);
  constexpr std::string_view condition = "type=";
  const bool is_condition =
      typed.starts_with(condition) && std::ranges::find(found, condition) != found.end();
  if (is_condition) {
    found.clear();
    for (const std::string& name : type_names()) found.push_back(make_condition(condition, name));
    std::ranges::sort(found);
  }
  std::erase_if(found, [typed](const std::string& word) { return !word.starts_with(typed); });
  return found;
}

}  // namespace heapcheck::cli
