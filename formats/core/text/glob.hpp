// Patterns for the ids of rules and for paths: `*` stands for any characters, `?` for one, and every other
// character for itself.
#pragma once

#include <optional>
#include <string_view>

namespace heapcheck::core {

/// Whether the pattern matches all of `text` or, if there is a separator, a start of it that a separator
/// follows. Takes time proportional to the product of the lengths, because patterns come with untrusted
/// dumps.
[[nodiscard]] bool matches_glob(std::string_view pattern, std::string_view text,
                                std::optional<char> separator = {});

}  // namespace heapcheck::core
