// What is in force for each file: the options from the command line, and below them the settings of the
// configuration file of its folder. All configuration files are read at the start, before the sandbox.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/config/config.hpp"
#include "cli/values.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::cli {

class Configuration {
 public:
  /// Finds and reads the configuration files of these paths, according to --config and --no-config. A folder
  /// is looked up itself; `-` is looked up in the current folder. Errors: unsupported, with the path and the
  /// line.
  [[nodiscard]] static Result<Configuration> read(const Values& values, std::span<const std::string> paths);

  /// The configuration file for one of the paths; null if there is none.
  [[nodiscard]] const Config* config_for(const std::string& path) const;
  /// Its settings for that path that are not given on the command line; of an option that is set more than
  /// once, only the last one.
  [[nodiscard]] std::vector<Setting> settings_for(const std::string& path) const;
  /// The values from the command line with these settings. May be called by several threads at once.
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
