#include "cli/config/config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "cli/command_table.hpp"
#include "cli/suggestions.hpp"
#include "cli/values.hpp"
#include "formats/core/text/glob.hpp"
#include "formats/core/text/utf8.hpp"

// Failures are values, and the implementation is in this source only.
#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

namespace heapcheck::cli {
namespace {

/// An error in the file, and its line.
struct ConfigFault {
  std::uint32_t line = 0;
  std::string message;
};

template <class T>
using Parsed = std::expected<T, ConfigFault>;

std::uint32_t line_of(const toml::source_region& source) { return source.begin.line; }

struct Entry {
  std::string_view key;
  const toml::node* node;
  std::uint32_t line;
};

/// The members of a table, in the order in which they are in the file.
std::vector<Entry> list_entries(const toml::table& table) {
  std::vector<Entry> entries;
  for (const auto& [key, node] : table) entries.push_back({key.str(), &node, line_of(key.source())});
  std::ranges::sort(entries, {}, [](const Entry& entry) { return std::pair(entry.line, entry.key); });
  return entries;
}

std::vector<std::string> configurable_names() {
  std::vector<std::string> names;
  for (const Option& option : find_command("validate")->options) {
    if (option.is_configurable) names.emplace_back(option.name);
  }
  return names;
}

std::unexpected<ConfigFault> refuse(const Entry& entry, std::string_view found, std::string_view expected) {
  return std::unexpected(
      ConfigFault{entry.line, fmt::format("{}: found {}, expected {}", entry.key, found, expected)});
}

std::string_view describe_type(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "an array";
    case toml::node_type::string:
      return "a string";
    case toml::node_type::integer:
      return "a whole number";
    case toml::node_type::floating_point:
      return "a number with a fraction";
    case toml::node_type::boolean:
      return "a truth value";
    default:
      return "a date or a time";
  }
}

/// A string, or an array of strings.
Parsed<std::vector<std::string>> read_strings(const Entry& entry) {
  if (const auto text = entry.node->value_exact<std::string>()) return std::vector{*text};
  const toml::array* const array = entry.node->as_array();
  if (array == nullptr) return refuse(entry, describe_type(*entry.node), "a string or an array of strings");
  std::vector<std::string> texts;
  for (const toml::node& node : *array) {
    const auto text = node.value_exact<std::string>();
    if (!text) return refuse(entry, describe_type(node), "a string");
    texts.push_back(*text);
  }
  return texts;
}

/// The texts of the option's values. The TOML type must match the type of the option: a number must not be
/// written as a string.
Parsed<std::vector<std::string>> read_texts(const Entry& entry, const Option& option) {
  if (option.is_repeated) return read_strings(entry);
  if (const auto text = entry.node->value_exact<std::string>(); text && option.kind != ValueKind::count)
    return std::vector{*text};
  if (const auto number = entry.node->value_exact<std::int64_t>(); number && option.kind == ValueKind::count)
    return std::vector{std::to_string(*number)};
  return refuse(entry, describe_type(*entry.node), describe_expected(option));
}

Parsed<Value> read_value(const Entry& entry, const Option& option) {
  auto texts = read_texts(entry, option);
  if (!texts) return std::unexpected(std::move(texts.error()));
  Value last;
  for (const std::string& text : *texts) {
    auto value = parse_value(option, text);
    if (!value)
      return std::unexpected(
          ConfigFault{entry.line, fmt::format("{}: {}", entry.key, value.error().message())});
    last = std::move(*value);
  }
  return option.is_repeated ? Value(std::move(*texts)) : last;
}

Parsed<Setting> read_setting(const Entry& entry) {
  const Option* const option = find_option(find_command("validate")->options, entry.key);
  if (option == nullptr || !option->is_configurable) {
    const auto names = configurable_names();
    return std::unexpected(
        ConfigFault{entry.line, fmt::format("unknown key {}{}; the keys are {} and override", entry.key,
                                            suggest_word(names, entry.key), fmt::join(names, ", "))});
  }
  auto value = read_value(entry, *option);
  if (!value) return std::unexpected(std::move(value.error()));
  return Setting{.name = std::string(entry.key), .value = std::move(*value), .line = entry.line};
}

Parsed<ConfigSection> read_override(const toml::table& table, std::uint32_t line) {
  ConfigSection section;
  for (const Entry& entry : list_entries(table)) {
    if (entry.key == "paths") {
      auto paths = read_strings(entry);
      if (!paths) return std::unexpected(paths.error());
      section.paths = std::move(*paths);
    } else {
      auto setting = read_setting(entry);
      if (!setting) return std::unexpected(setting.error());
      section.settings.push_back(std::move(*setting));
    }
  }
  if (section.paths.empty())
    return std::unexpected(ConfigFault{line, "override: found no paths, expected at least one pattern"});
  return section;
}

Parsed<std::vector<ConfigSection>> read_overrides(const Entry& entry) {
  const toml::array* const array = entry.node->as_array();
  std::vector<ConfigSection> sections;
  if (array == nullptr) return refuse(entry, describe_type(*entry.node), "sections [[override]]");
  for (const toml::node& node : *array) {
    const toml::table* const table = node.as_table();
    if (table == nullptr) return refuse(entry, describe_type(node), "sections [[override]]");
    auto section = read_override(*table, line_of(node.source()));
    if (!section) return std::unexpected(section.error());
    sections.push_back(std::move(*section));
  }
  return sections;
}

Parsed<std::vector<ConfigSection>> read_sections(const toml::table& table) {
  std::vector<ConfigSection> sections(1);
  for (const Entry& entry : list_entries(table)) {
    if (entry.key == "override") {
      auto overrides = read_overrides(entry);
      if (!overrides) return overrides;
      std::ranges::move(*overrides, std::back_inserter(sections));
    } else {
      auto setting = read_setting(entry);
      if (!setting) return std::unexpected(setting.error());
      sections.front().settings.push_back(std::move(*setting));
    }
  }
  return sections;
}

std::string describe_syntax(const toml::parse_error& error) {
  return fmt::format("is not TOML: {}", error.description());
}

std::string quote(std::string_view text) {
  std::string quoted = "\"";
  while (!text.empty()) {
    const auto decoded = core::decode_utf8(core::as_bytes(text));
    const char32_t character = decoded ? decoded->code_point : core::replacement_character;
    if (character < 0x20 || character >= 0x7f) {
      quoted += fmt::format("\\U{:08x}", static_cast<std::uint32_t>(character));
    } else {
      if (character == '"' || character == '\\') quoted += '\\';
      quoted += text.front();
    }
    text.remove_prefix(decoded ? decoded->byte_count : 1);
  }
  return quoted + '"';
}

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

/// The text without a byte order mark, and with question marks for characters beyond ASCII in lines that are
/// comments. For some of those characters, toml++ 3.3 has undefined behaviour outside strings.
std::string clean_comments(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (text.starts_with(mark)) text.remove_prefix(mark.size());
  std::string clean(text);
  for (std::size_t start = 0; start < clean.size();) {
    const std::size_t end = std::min(clean.find('\n', start), clean.size());
    const std::size_t first = clean.find_first_not_of(" \t", start);
    const bool is_comment = first < end && clean[first] == '#';
    for (std::size_t i = start; is_comment && i < end; ++i) {
      if (!is_ascii(clean[i])) clean[i] = '?';
    }
    start = end + 1;
  }
  return clean;
}

/// The line of the first character beyond ASCII; 0 if there is none.
std::uint32_t find_line_beyond_ascii(std::string_view text) {
  const auto found = std::ranges::find_if_not(text, is_ascii);
  if (found == text.end()) return 0;
  return static_cast<std::uint32_t>(std::count(text.begin(), found, '\n')) + 1;
}

namespace fs = std::filesystem;

constexpr std::string_view config_name = ".heapcheck.toml";

/// The path from the root folder. Links are not resolved, so that the folders above it are those that the
/// user sees.
fs::path make_absolute(const std::string& path) {
  std::error_code code;
  fs::path absolute = fs::absolute(path == "-" ? "." : path, code).lexically_normal();
  return absolute.has_filename() ? absolute : absolute.parent_path();
}

/// The folder in which the search for the configuration of the path begins.
fs::path find_folder(const std::string& path) {
  std::error_code code;
  fs::path absolute = make_absolute(path);
  return path == "-" || fs::is_directory(absolute, code) ? absolute : absolute.parent_path();
}

/// The path as messages show it: relative to the current folder, unless it is outside it.
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

Result<Config> parse_config(std::string_view text, std::string path) {
  const auto fail = [&](const ConfigFault& fault) {
    return std::unexpected(
        Error{ErrorKind::unsupported, fmt::format("{}:{}: {}", path, fault.line, fault.message)});
  };
  if (text.size() > max_config_bytes)
    return fail({1, fmt::format("has {} bytes, expected at most {}", text.size(), max_config_bytes)});
  const std::string clean = clean_comments(text);
  if (const std::uint32_t line = find_line_beyond_ascii(clean); line != 0)
    return fail({line,
                 "found a character beyond ASCII, expected it only in lines that are comments; in a string, "
                 "write it as \\uXXXX"});
  const toml::parse_result parsed = toml::parse(std::string_view(clean));
  if (!parsed) return fail({line_of(parsed.error().source()), describe_syntax(parsed.error())});
  auto sections = read_sections(parsed.table());
  if (!sections) return fail(sections.error());
  return Config{.path = std::move(path), .sections = std::move(*sections)};
}

std::string make_toml(const Value& value) {
  if (const auto* number = std::get_if<std::uint64_t>(&value)) return std::to_string(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return quote(*text);
  std::string list;
  if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) {
    for (const std::string& text : *texts) list += (list.empty() ? "" : ", ") + quote(text);
  }
  return "[" + list + "]";
}

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
