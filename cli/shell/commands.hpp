// The commands of the shell, in one table, which drives the parsing of lines, the help, the suggestions for
// misspelt words and the completion.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/ask/ask.hpp"
#include "cli/command_table.hpp"
#include "cli/shell/line.hpp"
#include "cli/values.hpp"

namespace heapcheck::cli {

class Session;

/// One of `answer` and `run` is set.
struct ShellCommand {
  std::string_view name;
  std::string_view help = {};  ///< one line
  std::span<const Argument> arguments = {};
  std::span<const Option> options = {};  ///< of the same command on the command line, all with their defaults
  /// Answers a question about the selected snapshot.
  Result<Answer> (*answer)(const Values& values, const Asked& asked) = nullptr;
  /// Does something with the shell itself.
  Result<void> (*run)(Session& session, const Values& values) = nullptr;
};

/// The table.
std::span<const ShellCommand> shell_commands();

/// The command that `word` names. Errors: unsupported, with a suggestion.
Result<const ShellCommand*> find_shell_command(const Word& word);

/// The values of the arguments and options in the words of a line after the name of the command, in addition
/// to `options`, those of the shell itself. Errors: unsupported, if a word is missing, unexpected, or none of
/// those that an argument or option accepts.
Result<Values> read_words(const ShellCommand& command, std::span<const Word> line, const Values& options);

/// One line for each command.
std::string describe_shell_commands();

}  // namespace heapcheck::cli
