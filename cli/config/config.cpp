#include "cli/config/config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "cli/values.hpp"
#include "formats/core/text/glob.hpp"

namespace heapcheck::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view config_name = ".heapcheck.toml";

/// The absolute path. Links are not resolved, so that the folders above the path are those that the user
/// sees.
fs::path make_absolute(const std::string& path) {
  std::error_code code;
  fs::path absolute = fs::absolute(path == "-" ? "." : path, code).lexically_normal();
  return absolute.has_filename() ? absolute : absolute.parent_path();
}

/// The folder in which the search for the path's configuration file begins.
fs::path find_folder(const std::string& path) {
  std::error_code code;
  fs::path absolute = make_absolute(path);
  return path == "-" || fs::is_directory(absolute, code) ? absolute : absolute.parent_path();
}

/// The path as messages show it: relative to the current folder, unless it is outside that folder.
std::string show_config_path(const fs::path& path) {
  const fs::path relative = path.lexically_relative(make_absolute("."));
  return relative.empty() || *relative.begin() == ".." ? path.string() : relative.string();
}

std::unexpected<Error> fail(const std::string& path, std::string_view why) {
  return std::unexpected(Error{ErrorKind::unsupported, path + ": " + std::string(why)});
}

Result<Config> read_config(const fs::path& path, std::string shown) {
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (!fs::exists(status)) return fail(shown, "the configuration file does not exist");
  if (!fs::is_regular_file(status)) return fail(shown, "the configuration is not a regular file");
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(shown, "the configuration file cannot be read");
  std::string text(max_config_bytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) return fail(shown, "the configuration file cannot be read");
  text.resize(static_cast<std::size_t>(file.gcount()));
  return parse_config(text, std::move(shown));
}

}  // namespace

bool matches_path(const std::string& pattern, const std::string& path) {
  const bool is_name = pattern.find('/') == std::string::npos;
  const std::string_view whole = path;
  return core::matches_glob(pattern, is_name ? whole.substr(whole.rfind('/') + 1) : whole);
}

Result<Configuration::SharedFile> Configuration::find_file(const fs::path& folder) {
  if (const auto known = by_folder_.find(folder); known != by_folder_.end()) return known->second;
  SharedFile file;
  std::error_code code;
  const fs::path path = folder / config_name;
  if (fs::exists(fs::symlink_status(path, code))) {
    auto config = read_config(path, show_config_path(path));
    if (!config) return std::unexpected(std::move(config.error()));
    file = std::make_shared<const File>(File{folder, std::move(*config)});
  } else if (folder.has_relative_path()) {
    auto above = find_file(folder.parent_path());
    if (!above) return above;
    file = std::move(*above);
  }
  return by_folder_[folder] = file;
}

Result<Configuration> Configuration::read(const Values& values, std::span<const std::string> paths) {
  Configuration made(values);
  if (values.get<bool>("no-config")) return made;
  if (const auto path = values.find<std::string>("config")) {
    auto config = read_config(*path, *path);
    if (!config) return std::unexpected(std::move(config.error()));
    made.explicit_ =
        std::make_shared<const File>(File{make_absolute(*path).parent_path(), std::move(*config)});
    return made;
  }
  for (const std::string& path : paths) {
    const auto file = made.find_file(find_folder(path));
    if (!file) return std::unexpected(file.error());
  }
  return made;
}

const Configuration::File* Configuration::file_for(const std::string& path) const {
  if (explicit_ != nullptr || by_folder_.empty()) return explicit_.get();
  const fs::path absolute = make_absolute(path);
  auto found = by_folder_.find(absolute);
  if (found == by_folder_.end()) found = by_folder_.find(absolute.parent_path());
  return found == by_folder_.end() ? nullptr : found->second.get();
}

const Config* Configuration::config_for(const std::string& path) const {
  const File* const file = file_for(path);
  return file == nullptr ? nullptr : &file->config;
}

std::vector<Setting> Configuration::settings_for(const std::string& path) const {
  std::vector<Setting> settings;
  const File* const file = file_for(path);
  if (file == nullptr) return settings;
  const std::string relative = make_absolute(path).lexically_relative(file->folder).string();
  for (const ConfigSection& section : file->config.sections) {
    const bool applies =
        section.paths.empty() || std::ranges::any_of(section.paths, [&](const std::string& pattern) {
          return matches_path(pattern, relative);
        });
    if (!applies) continue;
    for (const Setting& setting : section.settings) {
      if (values_.is_given(setting.name)) continue;
      std::erase_if(settings, [&](const Setting& earlier) { return earlier.name == setting.name; });
      settings.push_back(setting);
    }
  }
  return settings;
}

Values Configuration::values_for(const std::string& path) const {
  Values values = values_;
  for (Setting& setting : settings_for(path)) values.slot(setting.name) = std::move(setting.value);
  return values;
}

std::vector<std::string> Configuration::used_files() const {
  std::set<std::string> paths;
  if (explicit_ != nullptr) paths.insert(explicit_->config.path);
  for (const auto& [folder, file] : by_folder_) {
    if (file != nullptr) paths.insert(file->config.path);
  }
  return {paths.begin(), paths.end()};
}

}  // namespace heapcheck::cli
