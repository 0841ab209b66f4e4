#include "cli/shell/commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/ask/commands.hpp"
#include "cli/ask/diff_commands.hpp"
#include "cli/ask/memory_commands.hpp"
#include "cli/ask/questions.hpp"
#include "cli/shell/session.hpp"
#include "cli/suggestions.hpp"

namespace heapcheck::cli {
namespace {

using AnswerFunction = Result<Answer> (*)(const Values& values, const Asked& asked);

/// A command of the command line without its first argument, which is the file.
constexpr ShellCommand question(const Command& command, AnswerFunction answer) {
  return {.name = command.name,
          .help = command.help,
          .arguments = command.arguments.subspan(1),
          .options = command.options,
          .answer = answer};
}

/// The same under another name and with another help.
constexpr ShellCommand question(const Command& command, AnswerFunction answer, std::string_view name,
                                std::string_view help) {
  ShellCommand made = question(command, answer);
  made.name = name;
  made.help = help;
  return made;
}

/// A command whose arguments are about several snapshots or files.
constexpr ShellCommand without_arguments(const Command& command, AnswerFunction answer,
                                         std::string_view help) {
  return {.name = command.name, .help = help, .options = command.options, .answer = answer};
}

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

constexpr ShellCommand table[] = {
    without_arguments(summary_command, answer_summary,
                      "Show the size of the snapshot, and what kinds of nodes it has"),
    without_arguments(suspects_command, answer_suspects, suspects_command.help),
    question(top_command, answer_top),
    question(find_nodes_command, answer_find),
    question(count_command, answer_count),
    question(show_command, answer_show),
    question(path_command, answer_path),
    question(retainers_command, answer_retainers),
    question(retainers_command, answer_retainers, "incidents", "The same as retainers, MoarVM's word for it"),
    question(retained_command, answer_retained),
    question(dominators_command, answer_dominators),
    question(unreachable_command, answer_unreachable),
    question(duplicates_command, answer_duplicates),
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

/// `snapshot N`, `top WHAT [ORDER]`.
std::string describe_usage(const ShellCommand& command) {
  std::string text(command.name);
  for (const Argument& argument : command.arguments)
    text += argument.is_optional ? fmt::format(" [{}]", argument.name) : fmt::format(" {}", argument.name);
  return text;
}

}  // namespace

std::span<const ShellCommand> shell_commands() { return table; }

Result<const ShellCommand*> find_shell_command(const Word& word) {
  const auto found = std::ranges::find(table, word.text, &ShellCommand::name);
  if (found != std::end(table)) return &*found;
  Choices names;
  for (const ShellCommand& command : table) names.emplace_back(command.name);
  const std::string suggestion = suggest_word(names, word.text);
  return std::unexpected(describe_unexpected(
      &word, "a command" + (suggestion.empty() ? "; `help` lists the commands" : suggestion)));
}

std::string describe_shell_commands() {
  std::string text;
  for (const ShellCommand& command : table)
    fmt::format_to(std::back_inserter(text), "{:<18}  {}\n", describe_usage(command), command.help);
  return text;
}

}  // namespace heapcheck::cli
