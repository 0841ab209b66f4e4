// Patterns for rule ids and paths: `*` matches any characters, `?` matches one character, and every other
// character matches itself.
#pragma once

#include <optional>
#include <string_view>

namespace heapcheck::core {

/// Whether the pattern matches all of `text` or, if a separator is given, the start of `text` up to a
/// separator. The time is at most proportional to the product of the lengths, because patterns can come with
/// untrusted dumps.
[[nodiscard]] bool matches_glob(std::string_view pattern, std::string_view text,
                                std::optional<char> separator = {});

}  // namespace heapcheck::core
