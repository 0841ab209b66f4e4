// The pages that are generated from the command table: the manual pages and the scripts that shells use
// to complete each word of a command line.
#pragma once

#include <string>

#include "cli/command_table.hpp"

namespace heapcheck::cli {

/// The SYNOPSIS section of heapcheck(1), in roff.
std::string make_manual_synopsis();
/// The COMMANDS and OPTIONS sections of heapcheck(1), in roff.
std::string make_manual_lists();

/// The paragraph about an option, in roff.
std::string option_to_roff(const Option& option);

/// The manual page of a command, such as heapcheck-validate(1), in roff.
std::string make_manual_page(const Command& command);

std::string make_bash_completion();
std::string make_zsh_completion();
std::string make_fish_completion();

/// The command table as a JSON document: the names of all commands, and the kinds of their arguments and
/// options.
std::string make_table_json();

}  // namespace heapcheck::cli
