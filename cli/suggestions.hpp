// Lists of the words that were expected, and suggestions for misspelt words, from the table of commands: text
// to append to an error, such as `; did you mean --output`. A suggestion is empty if no word is similar.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/command_table.hpp"

namespace heapcheck::cli {

/// `text`, `text or json`, `text, json or csv`.
std::string join_with_or(std::span<const std::string> words);

/// The suggestion for an unknown command.
std::string suggest_command(std::string_view typed);

/// The suggestion for an option such as `--outpt`, `-V` or `--jobs=2` that `command` (or the program, if that
/// is null) does not have: one of its own options, or else the commands that have the option.
std::string suggest_option(const Command* command, std::string_view typed);

/// The suggestion for a word that is none of `words`.
std::string suggest_word(std::span<const std::string> words, std::string_view typed);

/// The suggestion for an unknown rule id.
std::string suggest_rule(std::string_view typed);

}  // namespace heapcheck::cli
