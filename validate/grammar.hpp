// The grammar of the texts that choose rules (docs/configuration.md): lists of patterns over the ids of
// rules, and lists of patterns with a level. It recognises the texts; whether a pattern matches a rule or a
// level exists is for the caller. The results borrow from the text.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace heapcheck::validation::grammar {

/// A pattern and the level of the rules that it matches.
struct SeverityItem {
  std::string_view pattern;
  std::string_view level;
};

/// Whether the text is a pattern. Brackets, which have a meaning in the patterns of a shell, cannot be in
/// one.
[[nodiscard]] bool pattern(std::string_view text);

/// The patterns in `toc.*, mvm3.c*`.
[[nodiscard]] std::optional<std::vector<std::string_view>> pattern_list(std::string_view text);

/// The items of `mvm3.toc.*=warning, json.*=off`.
[[nodiscard]] std::optional<std::vector<SeverityItem>> severity_list(std::string_view text);

}  // namespace heapcheck::validation::grammar
