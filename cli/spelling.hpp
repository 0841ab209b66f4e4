// Finds the word that a misspelt word was meant to be.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace heapcheck::cli {

/// The number of edits that turn one word into the other: inserting, removing or replacing a byte, or
/// swapping two neighbouring bytes. No part of the word is edited twice.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// Returns the word that `typed` was most likely meant to be: the one with the fewest edits or, if there are
/// several, the one whose bytes differ least, so that the nearest number is chosen. If only the start of a
/// word was typed, the rest counts as one edit. Empty if no word is similar enough: a third of the typed
/// bytes may be wrong, and at most three edits are allowed.
std::string find_nearest(std::string_view typed, std::span<const std::string> words);

}  // namespace heapcheck::cli
