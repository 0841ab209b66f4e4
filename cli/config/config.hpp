// Configuration files: TOML whose top-level keys are the names of options of `validate`, followed by sections
// [[override]] for some paths. See docs/configuration.md. All of them are read at the start, before the
// sandbox is entered. The settings from the folder of a file apply to it, but options on the command line
// override them.
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

/// The maximum size of a configuration file: enough for hundreds of rules, but too small for nested tables to
/// use up the whole stack.
constexpr std::size_t max_config_bytes = 16384;

/// Errors: unsupported, with the path and the line.
[[nodiscard]] Result<Config> parse_config(std::string_view text, std::string path);

/// `["mvm3.*", "json"]`, `"warning"` or `20`: the value in TOML.
[[nodiscard]] std::string make_toml(const Value& value);

/// Whether a pattern for paths matches: `*` matches any characters, including slashes. A pattern without a
/// slash is compared with the last part of the path.
[[nodiscard]] bool matches_path(const std::string& pattern, const std::string& path);

class Configuration {
 public:
  /// Finds and reads the configuration files of these paths, according to --config and --no-config. For a
  /// folder, the search begins in the folder itself; for `-`, it begins in the current folder. Errors:
  /// unsupported, with the path and the line.
  [[nodiscard]] static Result<Configuration> read(const Values& values, std::span<const std::string> paths);

  /// The configuration file for one of the paths; null if there is none.
  [[nodiscard]] const Config* config_for(const std::string& path) const;
  /// The settings for that path of options that are not given on the command line. If an option is set more
  /// than once, only the last setting is included.
  [[nodiscard]] std::vector<Setting> settings_for(const std::string& path) const;
  /// The values from the command line, combined with these settings. May be called by several threads at
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
  std::map<std::filesystem::path, SharedFile> by_folder_;  // null: none in the folder or above it
};

}  // namespace heapcheck::cli
