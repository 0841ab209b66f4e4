// The lines that the shell reads, and its commands in one table. The table drives the parsing of lines, the
// help, the suggestions for misspelt words and the completion of words.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_table.hpp"
#include "cli/values.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::cli {

/// A word as it was typed, including its quotes, because queries have quotes of their own.
struct Word {
  std::string_view text;
  std::size_t offset = 0;  ///< the offset of its first byte in the line
};

/// Splits a line into words. Errors: unsupported if a quote is not closed.
[[nodiscard]] Result<std::vector<Word>> parse_line(std::string_view line);

/// `found "topp" at character 3, expected X` or, if there is no word, `found the end of the line, expected
/// X`.
[[nodiscard]] Error describe_unexpected(const Word* word, std::string_view expected);

class Session;

/// A command of the shell. Either `question` or `run` is set.
struct ShellCommand {
  std::string_view name;
  std::string_view short_name = {};  ///< a shorter name for interactive use; may be empty
  std::string_view help = {};        ///< one line
  std::string_view manual = {};      ///< as for a command of the program
  std::span<const Argument> arguments = {};
  std::span<const Option> options = {};  ///< the options of the same command on the command line, all with
                                         ///< their defaults
  std::string_view question = {};        ///< the name of the question about the selected snapshot
  /// Runs a command that concerns the shell itself.
  Result<void> (*run)(Session& session, const Values& values) = nullptr;
};

/// The table.
std::span<const ShellCommand> shell_commands();

/// The command that `word` names. Errors: unsupported, with a suggestion.
Result<const ShellCommand*> find_shell_command(const Word& word);

/// The values of the arguments and options in the words that follow the name of the command, together with
/// `options`, the options of the shell itself. Errors: unsupported if a word is missing, unexpected, or not
/// accepted by its argument or option.
Result<Values> read_words(const ShellCommand& command, std::span<const Word> line, const Values& options);

/// One line for each command.
std::string describe_shell_commands();
/// How the command is written, what it does, and its arguments and options.
std::string describe_shell_command(const ShellCommand& command);

/// The possible completions of the last, unfinished word in `before`, in the order of the tables or in
/// alphabetical order. `before` is the line up to the cursor. `type_names` is called for a condition on a
/// type.
std::vector<std::string> complete(std::string_view before,
                                  const std::function<std::vector<std::string>()>& type_names);

}  // namespace heapcheck::cli
