// Configuration files: TOML whose top-level keys are the names of options of `validate`, followed by sections
// [[override]] for some paths. See docs/configuration.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/values.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::cli {

/// The value of an option in a configuration file.
struct Setting {
  std::string name;  ///< of the option
  Value value;
  std::uint32_t line = 0;  ///< counted from 1
};

/// Settings for the files whose path matches a pattern.
struct ConfigSection {
  std::vector<std::string> paths;  ///< empty for the first section, which is for all files
  std::vector<Setting> settings;   ///< by line
};

struct Config {
  std::string path;  ///< as messages show it
  std::vector<ConfigSection>
      sections;  ///< the first is for all files; the others are in the order of the file
};

/// The size up to which a configuration file is read: enough for hundreds of rules, and so small that nested
/// tables do not take up the whole stack.
constexpr std::size_t max_config_bytes = 16384;

/// Errors: unsupported, with the path and the line.
[[nodiscard]] Result<Config> parse_config(std::string_view text, std::string path);

/// `["mvm3.*", "json"]`, `"warning"` or `20`: the value in TOML.
[[nodiscard]] std::string make_toml(const Value& value);

/// Whether a pattern for paths matches: `*` stands for any characters, also for slashes. A pattern without a
/// slash is compared with the last part of the path.
[[nodiscard]] bool matches_path(const std::string& pattern, const std::string& path);

}  // namespace heapcheck::cli
