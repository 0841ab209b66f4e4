// The grammar of the texts that choose rules (docs/configuration.md): lists of patterns over the ids of
// rules, and lists of patterns with a level. It recognises the texts; whether a pattern matches a rule or a
// level exists is for the caller. The results borrow from the text.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace heapcheck::validation::grammar {

/// A piece of a pattern, as it was written: `*`, `?`, a set such as `[a-z]` or `[!0-9]`, or one character.
using PatternPiece = std::string_view;

/// A pattern and the level of the rules that it matches.
struct SeverityItem {
  std::string_view pattern;
  std::string_view level;
};

/// The pieces of a pattern; empty if the text is not one.
[[nodiscard]] std::optional<std::vector<PatternPiece>> pattern(std::string_view text);

/// The items of a set without its brackets: single characters, and ranges of three characters such as `a-z`.
[[nodiscard]] std::optional<std::vector<std::string_view>> set_items(std::string_view text);

/// The patterns in `toc.*, mvm3.[a-m]*`.
[[nodiscard]] std::optional<std::vector<std::string_view>> pattern_list(std::string_view text);

/// The items of `mvm3.toc.*=warning, json.*=off`.
[[nodiscard]] std::optional<std::vector<SeverityItem>> severity_list(std::string_view text);

}  // namespace heapcheck::validation::grammar
