// Configuration files: TOML files whose top-level keys are the names of `validate` options, followed by
// [[override]] sections for particular paths. See docs/configuration.md. All configuration files are read at
// the start, before the sandbox is entered. The settings in a folder apply to the files in that folder, but
// options on the command line override them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/values.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::cli {

/// The value of an option in a configuration file.
struct Setting {
  std::string name;  ///< the name of the option
  Value value;
  std::uint32_t line = 0;  ///< counted from 1
};

/// Settings for files whose paths match a pattern.
struct ConfigSection {
  std::vector<std::string> paths;  ///< empty for the first section, which applies to all files
  std::vector<Setting> settings;   ///< in the order of their lines
};

struct Config {
  std::string path;                     ///< the path as messages show it
  std::vector<ConfigSection> sections;  ///< the first applies to all files; the others are in file order
};

/// The maximum size of a configuration file. It is enough for hundreds of rules, but too small for nested
/// tables to overflow the stack.
constexpr std::size_t max_config_bytes = 16384;

/// Errors: unsupported, with the path and the line.
[[nodiscard]] Result<Config> parse_config(std::string_view text, std::string path);

/// The value in TOML, such as `["mvm3.*", "json"]`, `"warning"` or `20`.
[[nodiscard]] std::string make_toml(const Value& value);

/// Whether the pattern matches the path. `*` matches any characters, including slashes. A pattern without a
/// slash is matched against the last part of the path only.
[[nodiscard]] bool matches_path(const std::string& pattern, const std::string& path);

class Configuration {
 public:
  /// Finds and reads the configuration files for these paths, taking --config and --no-config into account.
  /// For a folder, the search begins in the folder itself; for `-`, it begins in the current folder. Errors:
  /// unsupported, with the path and the line.
  [[nodiscard]] static Result<Configuration> read(const Values& values, std::span<const std::string> paths);

  /// The configuration file for one of the paths, or null if there is none.
  [[nodiscard]] const Config* config_for(const std::string& path) const;
  /// The settings for that path, except for options that are given on the command line. If an option is set
  /// more than once, only the last setting is included.
  [[nodiscard]] std::vector<Setting> settings_for(const std::string& path) const;
  /// The values from the command line combined with these settings. Can be called from several threads at
  /// once.
  [[nodiscard]] Values values_for(const std::string& path) const;
  /// The paths of the files that were read, sorted.
  [[nodiscard]] std::vector<std::string> used_files() const;

 private:
  struct File {
    std::filesystem::path folder;  // absolute
    Config config;
  };
  using SharedFile = std::shared_ptr<const File>;

  explicit Configuration(Values values) : values_(std::move(values)) {}
  [[nodiscard]] Result<SharedFile> find_file(const std::filesystem::path& folder);
  [[nodiscard]] const File* file_for(const std::string& path) const;

  Values values_;
  SharedFile explicit_;                                    // --config
  std::map<std::filesystem::path, SharedFile> by_folder_;  // null if there is none in the folder or above it
};

}  // namespace heapcheck::cli
