// The commands of the program and their options in one table. The table drives the parsing of the command
// line, --help, the lists in the manual page, and the suggestions for misspelt words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heapcheck::cli {

class Values;

/// The kind of value that an option or an argument takes.
enum class ValueKind : std::uint8_t {
  none,        ///< nothing: a flag
  text,        ///< any string
  file,        ///< the path of a file
  choice,      ///< one of a fixed set of words
  count,       ///< a whole number from `least` to `most`
  limit,       ///< a size of 1 byte or more, such as 512M
  size,        ///< a size of 0 bytes or more
  percent,     ///< 0 to 100
  rules,       ///< patterns for rule ids, separated by commas
  severities,  ///< patterns with a level, such as `mvm3.*=warning`, separated by commas
};

using Choices = std::vector<std::string>;

struct Option {
  std::string_view name;  ///< without the hyphens
  char short_name = '\0';
  ValueKind kind = ValueKind::none;
  bool is_required = false;
  bool is_repeated = false;           ///< whether it may be given several times, with one string each time
  bool is_configurable = false;       ///< whether a configuration file may set it
  std::string_view placeholder = {};  ///< the name of the value in the help, such as `SIZE`
  Choices (*choices)() = nullptr;
  Choices (*configurable_choices)() = nullptr;  ///< the choices in a configuration file, if they are
                                                ///< different
  Choices (*hints)() = nullptr;  ///< words that a shell offers for the value; other words are accepted too
  std::uint64_t least = 0;
  std::uint64_t most = 0;
  /// The default, as shown in the help. For a choice or a count, this is the value itself.
  std::string_view default_text = {};
  std::string_view help = {};  ///< one line
  /// The text that follows the help in the manual page: one sentence per line, with `literals` and
  /// *placeholders*.
  std::string_view manual = {};
  std::string (*manual_of_choices)() = nullptr;  ///< the text about the choices, before `manual`
  std::string_view excludes = {};                ///< the option that cannot be combined with this one
};

/// A positional argument of a command.
struct Argument {
  std::string_view name;
  ValueKind kind = ValueKind::text;
  bool is_repeated = false;
  bool is_optional = false;
  bool is_about_dump = false;      ///< whether it concerns several snapshots or files, and is therefore not
                                   ///< used in the shell
  Choices (*choices)() = nullptr;  ///< the words that it accepts; null for any text
  std::string_view help = {};
  std::string_view expected = {};  ///< what the value must be, unless the argument has choices, is optional
                                   ///< or is a file
  /// The words that a shell offers for the word with that index among the arguments; other words are accepted
  /// too. May be null.
  Choices (*hints)(std::size_t index) = nullptr;
};

struct Command {
  std::string_view name;
  std::string_view help = {};    ///< one line
  std::string_view manual = {};  ///< as for an option
  std::span<const Argument> arguments = {};
  std::span<const Option> options = {};
  /// Runs the command with the values from the command line and returns the exit status. Null if the command
  /// asks the library the question with the same name.
  int (*run)(const Values& values) = nullptr;
};

struct Program {
  std::string_view name;
  std::string_view help = {};
  std::string_view footer = {};          ///< the lines at the end of the help
  std::span<const Option> options = {};  ///< --help, which every command has, and --version
  std::span<const Command> commands = {};
};

/// The table.
const Program& program();

/// The command with that name, or null.
const Command* find_command(std::string_view name);
/// The option with that name, or null.
const Option* find_option(std::span<const Option> options, std::string_view name);

/// The words that the option accepts; empty for options with values of other kinds.
Choices choices_of(const Option& option);
/// The value of an option as the help shows it, such as `SIZE` or `text|json`.
std::string describe_value(const Option& option);
/// The text of a manual without the marks around `literals` and *placeholders*.
std::string make_plain(std::string_view manual);

}  // namespace heapcheck::cli
