// Makes the manual pages, or the parts of them that list commands and options, from the table of commands.
#pragma once

#include <string>

#include "cli/command_table.hpp"

namespace heapcheck::cli {

/// The sections COMMANDS and OPTIONS of heapcheck(1), in roff.
std::string make_manual_lists();

/// The paragraph about an option, in roff.
std::string option_to_roff(const Option& option);

/// The page of a command, such as heapcheck-validate(1), in roff.
std::string make_manual_page(const Command& command);

}  // namespace heapcheck::cli
