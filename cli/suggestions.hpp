// Finds the word that a misspelt word was meant to be, and suggests it: text to append to an error, such as
// `; did you mean --output`, which is empty if no word is similar. Also lists the words that were expected.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "cli/command_table.hpp"

namespace heapcheck::cli {

/// The number of edits that turn one word into the other: inserting, removing or replacing a byte, or
/// swapping two neighbouring bytes. No part of the word is edited twice.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// Returns the word that `typed` was most likely meant to be: the one with the fewest edits or, if there are
/// several, the one whose bytes differ least, so that the nearest number is chosen. If only the start of a
/// word was typed, the rest counts as one edit. Empty if no word is similar enough: a third of the typed
/// bytes may be wrong, and at most three edits are allowed.
std::string find_nearest(std::string_view typed, std::span<const std::string> words);

/// `text`, `text or json`, `text, json or csv`.
std::string join_with_or(std::span<const std::string> words);

/// `validate, info and explain`.
std::string list_commands();

/// The suggestion for an unknown command.
std::string suggest_command(std::string_view typed);

/// The suggestion for an option such as `--outpt`, `-V` or `--jobs=2` that `command` (or the program, if that
/// is null) does not have: one of its own options, or else the commands that have the option.
std::string suggest_option(const Command* command, std::string_view typed);

/// The suggestion for a word that is not one of `words`.
std::string suggest_word(std::span<const std::string> words, std::string_view typed);

/// The suggestion for an unknown rule id.
std::string suggest_rule(std::string_view typed);

}  // namespace heapcheck::cli
