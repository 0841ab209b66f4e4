// What a shell offers for each word of a command line, according to the table of commands, and the scripts
// that tell the shells about it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command_table.hpp"

namespace heapcheck::cli {

/// What a shell offers for a value.
struct Offer {
  Choices words = {};
  bool has_files = false;  ///< the names of files

  friend bool operator==(const Offer&, const Offer&) = default;
};

Offer offer_for(const Option& option);
/// For each argument of the command in turn. If the last argument may be repeated, the last offer is for all
/// others.
std::vector<Offer> offers_for_arguments(const Command& command);
bool has_repeated_argument(const Command& command);

/// The text between single quotes, which must be written as `quote` inside of them.
std::string quote_single(std::string_view text, std::string_view quote);
/// The text with a backslash before each of these characters.
std::string escape_each(std::string_view text, std::string_view characters);
std::string join_words(const Choices& words);

std::string make_bash_completion();
std::string make_zsh_completion();
std::string make_fish_completion();

}  // namespace heapcheck::cli
