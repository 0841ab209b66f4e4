// Parses configuration files and files of rules, and writes values in TOML notation.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "cli/command_table.hpp"
#include "cli/config/config.hpp"
#include "cli/config/guard_rules.hpp"
#include "cli/suggestions.hpp"
#include "cli/values.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/core/text/nearest.hpp"
#include "formats/core/text/utf8.hpp"

// toml++ returns errors as values, and its implementation is compiled only in this source file.
#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

namespace heapcheck::cli {
namespace {

// The keys that are not options: one at the top level, and one in an override.
constexpr std::string_view override_key = "override";
constexpr std::string_view paths_key = "paths";

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

/// The members of a table in file order.
std::vector<Entry> list_entries(const toml::table& table) {
  std::vector<Entry> entries;
  for (const auto& [key, node] : table) entries.push_back({key.str(), &node, line_of(key.source())});
  std::ranges::sort(entries, {}, [](const Entry& entry) { return std::pair(entry.line, entry.key); });
  return entries;
}

/// The options that a table may set, and `other`, the table's only key that is not an option.
std::vector<std::string> list_keys(std::string_view other) {
  std::vector<std::string> keys;
  for (const Option& option : find_command("validate")->options) {
    if (option.is_configurable) keys.emplace_back(option.name);
  }
  keys.emplace_back(other);
  return keys;
}

std::unexpected<ConfigFault> refuse(const Entry& entry, std::string_view found, std::string_view expected) {
  return std::unexpected(
      ConfigFault{entry.line, fmt::format("{}: found {}, expected {}", entry.key, found, expected)});
}

std::unexpected<ConfigFault> refuse_key(const Entry& entry, const std::vector<std::string>& keys) {
  return std::unexpected(ConfigFault{
      entry.line,
      fmt::format("unknown key {}{}; {} {}", entry.key, core::suggest_word(keys, entry.key),
                  keys.size() == 1 ? "the only key is" : "the keys are", core::join_words(keys, "and"))});
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
      return "a Boolean value";
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

/// The option's values as strings. The type of the entry must match that of the option, so a number must not
/// be written as a string.
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

/// `other` is the key that the caller has already read.
Parsed<Setting> read_setting(const Entry& entry, std::string_view other) {
  const Option* const found = find_option(find_command("validate")->options, entry.key);
  if (found == nullptr || !found->is_configurable) return refuse_key(entry, list_keys(other));
  Option option = *found;
  if (option.configurable_choices != nullptr) option.choices = option.configurable_choices;
  auto value = read_value(entry, option);
  if (!value) return std::unexpected(std::move(value.error()));
  return Setting{.name = std::string(entry.key), .value = std::move(*value), .line = entry.line};
}

Parsed<ConfigSection> read_override(const toml::table& table, std::uint32_t line) {
  ConfigSection section;
  for (const Entry& entry : list_entries(table)) {
    if (entry.key == paths_key) {
      auto paths = read_strings(entry);
      if (!paths) return std::unexpected(paths.error());
      section.paths = std::move(*paths);
    } else {
      auto setting = read_setting(entry, paths_key);
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
    if (entry.key == override_key) {
      auto overrides = read_overrides(entry);
      if (!overrides) return overrides;
      std::ranges::move(*overrides, std::back_inserter(sections));
    } else {
      auto setting = read_setting(entry, override_key);
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

/// The text without a byte order mark, and with question marks in place of non-ASCII characters in comment
/// lines. Some of those characters cause undefined behaviour in toml++ 3.3 if they occur outside strings.
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

/// The line of the first non-ASCII character, or 0 if there is none.
std::uint32_t find_line_beyond_ascii(std::string_view text) {
  const auto found = std::ranges::find_if_not(text, is_ascii);
  if (found == text.end()) return 0;
  return static_cast<std::uint32_t>(std::count(text.begin(), found, '\n')) + 1;
}

/// Parses the text and reads its top-level table. Errors: unsupported, with the path and the line.
template <class T>
Result<T> parse_toml(std::string_view text, const std::string& path, Parsed<T> (*read)(const toml::table&)) {
  const auto fail = [&](const ConfigFault& fault) {
    return std::unexpected(
        Error{ErrorKind::unsupported, fmt::format("{}:{}: {}", path, fault.line, fault.message)});
  };
  if (text.size() > max_config_bytes)
    return fail({1, fmt::format("is {} bytes long, expected at most {}", text.size(), max_config_bytes)});
  const std::string clean = clean_comments(text);
  if (const std::uint32_t line = find_line_beyond_ascii(clean); line != 0)
    return fail({line,
                 "found a non-ASCII character, expected such characters only in comment lines; in a string, "
                 "write it as \\uXXXX"});
  const toml::parse_result parsed = toml::parse(std::string_view(clean));
  if (!parsed) return fail({line_of(parsed.error().source()), describe_syntax(parsed.error())});
  auto made = read(parsed.table());
  if (!made) return fail(made.error());
  return std::move(*made);
}

// The keys of a file of rules, at the top level and in its sections.
constexpr std::string_view rules_key = "rules";
constexpr std::string_view known_key = "known";
constexpr std::array<std::string_view, 3> format_keys = {"heapprofile", "heapsnapshot", "mvmheap"};

/// Adds the rules of one section. `format` is the key of the section, or empty.
Parsed<void> add_rules(const Entry& entry, std::string_view format, GuardRules& rules) {
  const auto texts = read_strings(entry);
  if (!texts) return std::unexpected(texts.error());
  for (const std::string& text : *texts)
    rules.rules.push_back(
        {.text = format.empty() ? text : fmt::format("{}: {}", format, text), .line = entry.line});
  return {};
}

Parsed<void> add_section(const Entry& entry, GuardRules& rules) {
  const toml::table* const table = entry.node->as_table();
  if (table == nullptr)
    return refuse(entry, describe_type(*entry.node), fmt::format("a section [{}]", entry.key));
  for (const Entry& inner : list_entries(*table)) {
    if (inner.key != rules_key) return refuse_key(inner, {std::string(rules_key)});
    if (auto added = add_rules(inner, entry.key, rules); !added) return added;
  }
  return {};
}

Parsed<GuardRules> read_guard_rules(const toml::table& table) {
  GuardRules rules;
  std::vector<std::string> keys{std::string(rules_key), std::string(known_key)};
  keys.insert(keys.end(), format_keys.begin(), format_keys.end());
  for (const Entry& entry : list_entries(table)) {
    Parsed<void> added;
    if (entry.key == rules_key) {
      added = add_rules(entry, {}, rules);
    } else if (std::ranges::find(format_keys, entry.key) != format_keys.end()) {
      added = add_section(entry, rules);
    } else if (entry.key == known_key) {
      rules.known = entry.node->value_exact<std::string>();
      if (!rules.known) return refuse(entry, describe_type(*entry.node), "a string");
    } else {
      return refuse_key(entry, keys);
    }
    if (!added) return std::unexpected(added.error());
  }
  return rules;
}

}  // namespace

Result<Config> parse_config(std::string_view text, std::string path) {
  auto sections = parse_toml(text, path, read_sections);
  if (!sections) return std::unexpected(std::move(sections.error()));
  return Config{.path = std::move(path), .sections = std::move(*sections)};
}

Result<GuardRules> parse_guard_rules(std::string_view text, const std::string& path) {
  return parse_toml(text, path, read_guard_rules);
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

}  // namespace heapcheck::cli
