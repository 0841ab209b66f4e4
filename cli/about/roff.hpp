// The language of manual pages.
#pragma once

#include <string>
#include <string_view>

#include "cli/command_table.hpp"

namespace heapcheck::cli {

/// The text with hyphens that can be copied, which `-` alone is not in all output of roff.
std::string escape_hyphens(std::string_view text);
std::string bold(std::string_view text);
std::string italic(std::string_view text);

/// Converts text of the table of commands, in which `...` is bold and *...* is italic.
std::string to_roff(std::string_view text);

/// The paragraph about an option.
std::string option_to_roff(const Option& option);

}  // namespace heapcheck::cli
