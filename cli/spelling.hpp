// What a misspelt word was meant to be.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace heapcheck::cli {

/// How many edits make one word of the other: inserting, removing or replacing a byte, or swapping two
/// neighbours, with no part of the word edited twice.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The one of `words` that `typed` was most likely meant to be: the one with the fewest edits, and of those
/// the one whose bytes differ least, so that a number becomes the nearest one. A word that is not typed to
/// its end counts as one edit. Empty where none is near: a third of what was typed may be wrong, up to three
/// edits.
std::string find_nearest(std::string_view typed, std::span<const std::string> words);

}  // namespace heapcheck::cli
