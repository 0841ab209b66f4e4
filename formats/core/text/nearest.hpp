// Finds the word that a misspelt word was probably meant to be, and suggests it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace heapcheck::core {

/// The number of edits that turn one word into the other: inserting, removing or replacing a byte, or
/// swapping two neighbouring bytes. No part of a word is edited twice.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// Returns the word that `typed` was most likely meant to be: the one with the fewest edits. If there are
/// several, prefers a word with the same first byte, which is rarely mistyped, and then the word whose bytes
/// differ least, so that the nearest number is chosen. If only the start of a word was typed, the rest counts
/// as one edit. Empty if no word is similar enough: a third of the typed bytes may be wrong, and at most
/// three edits are allowed.
std::string find_nearest(std::string_view typed, std::span<const std::string> words);

/// The suggestion for a word that is not among `words`, as text to append to an error, such as `; did you
/// mean output`. Empty if no word is similar enough.
std::string suggest_word(std::span<const std::string> words, std::string_view typed);

/// The same text for words that were found in a different way.
std::string did_you_mean(std::string_view words);

}  // namespace heapcheck::core
