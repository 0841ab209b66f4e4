// Parses lists of known leaks, which `heapcheck assert --write-known` writes.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "cli/config/guard_rules.hpp"
#include "formats/core/text/excerpt.hpp"

namespace heapcheck::cli {
namespace {

bool is_fingerprint(std::string_view word) {
  constexpr std::size_t length = 12;
  return word.size() == length && word.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

Result<std::vector<std::string>> parse_known_leaks(std::string_view text, const std::string& path) {
  std::vector<std::string> fingerprints;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string_view word = line.substr(0, line.find_first_of(" \t\r#"));
    const bool has_word = line.find_first_not_of(" \t\r") != std::string_view::npos && !line.starts_with('#');
    if (!has_word) continue;
    if (!is_fingerprint(word))
      return std::unexpected(
          Error{ErrorKind::unsupported, fmt::format("{}:{}: found {}, expected a fingerprint or a comment",
                                                    path, number, core::make_excerpt(line))});
    fingerprints.emplace_back(word);
  }
  return fingerprints;
}

}  // namespace heapcheck::cli
