// The lines of the shell: words between blanks. A part of a word in double quotes may contain blanks, and `\`
// before a character there means this character. A line borrows its text.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "heapcheck/types/result.hpp"

namespace heapcheck::cli {

/// A word as it was typed, with its quotes, because queries have quotes of their own.
struct Word {
  std::string_view text;
  std::size_t offset = 0;  ///< of its first byte in the line
};

/// Errors: unsupported, if a quote is not closed.
[[nodiscard]] Result<std::vector<Word>> parse_line(std::string_view line);

/// `found "topp" at character 3, expected X`, or `found the end of the line, expected X` without a word.
[[nodiscard]] Error describe_unexpected(const Word* word, std::string_view expected);

}  // namespace heapcheck::cli
