#include "formats/core/text/glob.hpp"

#include <cstddef>

namespace heapcheck::core {

bool matches_glob(std::string_view pattern, std::string_view text, std::optional<char> separator) {
  std::size_t piece = 0;
  std::size_t at = 0;
  std::optional<std::size_t> star;  // the piece after the last `*`
  std::size_t star_end = 0;
  for (;;) {
    if (piece == pattern.size()) {
      if (at == text.size() || text[at] == separator) return true;
    } else if (pattern[piece] == '*') {
      star = ++piece;
      star_end = at;
      continue;
    } else if (at < text.size() && (pattern[piece] == '?' || pattern[piece] == text[at])) {
      ++piece;
      ++at;
      continue;
    }
    // Only the last `*` is extended. If an earlier `*` matched more than it has to, less text would be left
    // for the rest of the pattern.
    if (!star || star_end == text.size()) return false;
    piece = *star;
    at = ++star_end;
  }
}

}  // namespace heapcheck::core
