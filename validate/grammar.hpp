// The grammar of option values that select rules (docs/configuration.md): lists of patterns for rule ids, and
// lists of patterns with a level. It only parses them; the caller checks whether a pattern matches a rule and
// whether a level exists. The results borrow from the text.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace heapcheck::validation::grammar {

/// A pattern and the level for the rules that it matches.
struct SeverityItem {
  std::string_view pattern;
  std::string_view level;
};

/// Whether the text is a pattern. A pattern cannot contain brackets, because they have a special meaning in
/// shell patterns.
[[nodiscard]] bool pattern(std::string_view text);

/// The patterns in `toc.*, mvm3.c*`.
[[nodiscard]] std::optional<std::vector<std::string_view>> pattern_list(std::string_view text);

/// The items of `mvm3.toc.*=warning, json.*=off`.
[[nodiscard]] std::optional<std::vector<SeverityItem>> severity_list(std::string_view text);

}  // namespace heapcheck::validation::grammar
