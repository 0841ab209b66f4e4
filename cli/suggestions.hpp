// What a user may have meant, found in the table of commands: words to add to an error, such as
// `; did you mean --output`. Each is empty where nothing is near.
#pragma once

#include <string>
#include <string_view>

#include "cli/command_table.hpp"

namespace heapcheck::cli {

/// For a name that no command has.
std::string suggest_command(std::string_view typed);

/// For an option such as `--outpt`, `-V` or `--jobs=2` that `command`, or the program if that is null, does
/// not have: one of its own, or else the commands that have it.
std::string suggest_option(const Command* command, std::string_view typed);

/// For a value that the option does not take.
std::string suggest_choice(const Option& option, std::string_view typed);

/// For an id that no rule has.
std::string suggest_rule(std::string_view typed);

}  // namespace heapcheck::cli
