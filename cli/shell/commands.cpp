#include "cli/shell/commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/ask/options.hpp"
#include "cli/ask/questions.hpp"
#include "cli/shell/session.hpp"
#include "cli/suggestions.hpp"

namespace heapcheck::cli {
namespace {

/// About several snapshots: the options of diff and growth that are about the answer alone.
constexpr Option change_options[] = {answer_form, rows_of, rows_by("retained"), row_limit};
constexpr Argument indices_arguments[] = {
    {.name = "N", .is_repeated = true, .help = "The indices of two or three snapshots"}};

constexpr Argument index_arguments[] = {{.name = "N", .help = "The index of a snapshot"}};

Result<void> print_help(Session& session, const Values& /*values*/) {
  session.print(describe_shell_commands());
  return {};
}
Result<void> list_snapshots(Session& session, const Values& /*values*/) { return session.list_snapshots(); }
Result<void> select_snapshot(Session& session, const Values& values) {
  return session.select(values.get<std::string>("N"));
}
Result<void> show_changes(Session& session, const Values& values) {
  return session.ask_about_dump(answer_diff, values);
}
Result<void> show_growth(Session& session, const Values& values) {
  return session.ask_about_dump(answer_growth, values);
}
Result<void> show_more(Session& session, const Values& /*values*/) { return session.show_more(); }
Result<void> end_session(Session& session, const Values& /*values*/) {
  session.end();
  return {};
}

/// The commands besides the questions about one snapshot.
constexpr ShellCommand own_commands[] = {
    {.name = "diff",
     .help = "Show what changes from one snapshot to another",
     .arguments = indices_arguments,
     .options = change_options,
     .run = show_changes},
    {.name = "growth",
     .help = "Show what grows over all snapshots",
     .options = change_options,
     .run = show_growth},
    {.name = "more", .help = "Show the next rows of the last answer", .run = show_more},
    {.name = "snapshots", .help = "List the snapshots of the file", .run = list_snapshots},
    {.name = "snapshot",
     .help = "Select snapshot N, which all later questions are about",
     .arguments = index_arguments,
     .run = select_snapshot},
    {.name = "help", .help = "List the commands", .run = print_help},
    {.name = "exit", .help = "End the shell", .run = end_session},
    {.name = "quit", .help = "End the shell", .run = end_session},
};

/// A command of the command line without the arguments that are about the file.
ShellCommand make_question(const Command& command) {
  const auto after_file = command.arguments.subspan(1);
  const auto end = std::ranges::find(after_file, true, &Argument::is_about_dump);
  return {.name = command.name,
          .help = command.help,
          .arguments = {after_file.begin(), end},
          .options = command.options,
          .answer = command.answer};
}

std::vector<ShellCommand> make_table() {
  std::vector<ShellCommand> table;
  for (const Command& command : program().commands) {
    if (command.answer == nullptr) continue;
    ShellCommand question = make_question(command);
    if (command.name == "summary")
      question.help = "Show the size of the snapshot, and what kinds of nodes it has";
    table.push_back(question);
    if (command.name != "retainers") continue;
    question.name = "incidents";
    question.help = "The same as retainers, MoarVM's word for it";
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
  return text;
}

}  // namespace

std::span<const ShellCommand> shell_commands() {
  static const std::vector<ShellCommand> table = make_table();
  return table;
}

Result<const ShellCommand*> find_shell_command(const Word& word) {
  const auto table = shell_commands();
  const auto found = std::ranges::find(table, word.text, &ShellCommand::name);
  if (found != table.end()) return &*found;
  Choices names;
  for (const ShellCommand& command : table) names.emplace_back(command.name);
  const std::string suggestion = suggest_word(names, word.text);
  return std::unexpected(describe_unexpected(
      &word, "a command" + (suggestion.empty() ? "; `help` lists the commands" : suggestion)));
}

std::string describe_shell_commands() {
  std::string text;
  for (const ShellCommand& command : shell_commands())
    fmt::format_to(std::back_inserter(text), "{:<18}  {}\n", describe_usage(command), command.help);
  return text;
}

}  // namespace heapcheck::cli
