// Files of rules for `heapcheck assert`: TOML files with rules for all formats, and with a section for each
// format. docs/guarding.md describes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heapcheck/types/result.hpp"

namespace heapcheck::cli {

struct LinedRule {
  std::string text;        ///< with its format in front, such as `heapsnapshot: absent detached`
  std::uint32_t line = 0;  ///< that of its key, counted from 1
};

struct GuardRules {
  std::vector<LinedRule> rules = {};      ///< in the order of the file
  std::optional<std::string> known = {};  ///< the path of the list of known leaks, as in the file
};

/// Parses the keys and strings of the file, but not the rules themselves. Errors: unsupported, with the path
/// and the line.
[[nodiscard]] Result<GuardRules> parse_guard_rules(std::string_view text, const std::string& path);

/// The fingerprints in a list of known leaks. Errors: unsupported, with the path and the line.
[[nodiscard]] Result<std::vector<std::string>> parse_known_leaks(std::string_view text,
                                                                 const std::string& path);

}  // namespace heapcheck::cli
