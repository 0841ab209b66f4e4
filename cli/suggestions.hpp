// Suggests the command or option that a misspelt word was probably meant to be. Each suggestion is a string
// to append to an error, such as `; did you mean --output`, or an empty string if nothing is similar.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/command_table.hpp"

namespace heapcheck::cli {

/// `validate, info and explain`.
std::string list_commands();

/// The suggestion for an unknown command.
std::string suggest_command(std::string_view typed);

/// The suggestion for an option such as `--outpt`, `-V` or `--jobs=2` that `command` (or the program, if that
/// is null) does not have: one of its own options or, failing that, the commands that have the option.
std::string suggest_option(const Command* command, std::string_view typed);

}  // namespace heapcheck::cli
