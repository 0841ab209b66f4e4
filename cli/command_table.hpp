// The commands of the program and their options, in one table. It drives the parsing of the command line,
// --help, the lists of the manual page and the suggestions for what was misspelt.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heapcheck::cli {

class Values;

/// What an option or an argument takes.
enum class ValueKind : std::uint8_t {
  none,     ///< nothing: a flag
  text,     ///< any text
  file,     ///< the path of a file
  choice,   ///< one of a few words
  count,    ///< a whole number from `least` to `most`
  limit,    ///< a size of 1 byte or more, such as 512M
  size,     ///< a size of 0 bytes or more
  percent,  ///< 0 to 100
};

using Choices = std::vector<std::string>;

struct Option {
  std::string_view name;  ///< without its hyphens
  char short_name = '\0';
  ValueKind kind = ValueKind::none;
  bool is_required = false;
  std::string_view placeholder = {};  ///< of its value, such as `SIZE`
  Choices (*choices)() = nullptr;
  std::uint64_t least = 0;
  std::uint64_t most = 0;
  /// What holds where it is not given, for people; the value itself if that is a choice or a count.
  std::string_view default_text = {};
  std::string_view help = {};  ///< one line
  /// For the manual page: sentences, one a line, with `literals` and *placeholders*.
  std::string_view manual = {};
  std::string_view excludes = {};  ///< another option that cannot be given with it
};

/// The argument without a name that a command takes.
struct Argument {
  std::string_view name;
  ValueKind kind = ValueKind::text;
  bool is_repeated = false;
  std::string_view help = {};
};

struct Command {
  std::string_view name;
  std::string_view help = {};    ///< one line
  std::string_view manual = {};  ///< as that of an option
  std::optional<Argument> argument = {};
  std::span<const Option> options = {};
  /// Runs it with what the command line has set; returns the exit status.
  int (*run)(const Values& values) = nullptr;
};

struct Program {
  std::string_view name;
  std::string_view help = {};
  std::string_view footer = {};          ///< of its help
  std::span<const Option> options = {};  ///< --help, which every command has, and --version
  std::span<const Command> commands = {};
};

/// The table.
const Program& program();

/// The command of that name; null where there is none.
const Command* find_command(std::string_view name);
/// The option of that name; null where there is none.
const Option* find_option(std::span<const Option> options, std::string_view name);

/// The words that the option takes; none where it takes other values.
Choices choices_of(const Option& option);
/// How the help shows an option's value: `SIZE`, `text|json`.
std::string describe_value(const Option& option);

}  // namespace heapcheck::cli
