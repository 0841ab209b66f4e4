// heapcheck config: shows the settings in effect for a path, and where they come from.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "cli/command_table.hpp"
#include "cli/commands.hpp"
#include "cli/config/config.hpp"
#include "cli/output.hpp"

namespace heapcheck::cli {
namespace {

/// An option, its value, and the setting from which the value comes, which is null for a default.
struct InForce {
  std::string_view name;
  std::string_view default_text;
  const Setting* setting;
};

std::vector<InForce> list_in_force(const std::vector<Setting>& settings) {
  std::vector<InForce> list;
  for (const Option& option : find_command("validate")->options) {
    if (!option.is_configurable) continue;
    const auto found = std::ranges::find(settings, option.name, &Setting::name);
    list.push_back({option.name, option.default_text, found == settings.end() ? nullptr : &*found});
  }
  return list;
}

std::string make_config_text(const std::string& path, const Config* config,
                             const std::vector<Setting>& settings) {
  std::string out = fmt::format("# {}: {}\n", show_path(path),
                                config == nullptr ? "no configuration file" : show_path(config->path));
  for (const InForce& option : list_in_force(settings)) {
    if (option.setting == nullptr) {
      const std::string_view value = option.default_text.empty() ? "none" : option.default_text;
      fmt::format_to(std::back_inserter(out), "# {}: {} (default)\n", option.name, value);
    } else {
      fmt::format_to(std::back_inserter(out), "{} = {}  # {}:{}\n", option.name,
                     make_toml(option.setting->value), show_path(config->path), option.setting->line);
    }
  }
  return out;
}

void write_value(core::JsonWriter& json, const Value& value) {
  if (const auto* number = std::get_if<std::uint64_t>(&value)) json.number(*number);
  if (const auto* text = std::get_if<std::string>(&value)) json.string(*text);
  if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) {
    json.begin_array();
    for (const std::string& text : *texts) json.string(text);
    json.end_array();
  }
}

std::string make_config_json(const std::string& path, const Config* config,
                             const std::vector<Setting>& settings) {
  return make_json_document([&](core::JsonWriter& json) {
    json.member("path", path);
    if (config != nullptr) json.member("config", config->path);
    json.begin_array("settings");
    for (const InForce& option : list_in_force(settings)) {
      if (option.setting == nullptr) continue;
      json.begin_object();
      json.member("name", option.name);
      json.key("value");
      write_value(json, option.setting->value);
      json.member("line", std::uint64_t{option.setting->line});
      json.end_object();
    }
    json.end_array();
  });
}

}  // namespace

int run_config(const Values& values) {
  const std::string path = values.find<std::string>("PATH").value_or(".");
  const auto configuration = Configuration::read(values, std::vector{path});
  if (!configuration) return refuse_usage(configuration.error().message);
  const auto make = values.get<std::string>("output") == "json" ? make_config_json : make_config_text;
  const std::string text = make(path, configuration->config_for(path), configuration->settings_for(path));
  return write_output("", text) ? sound : usage;
}

}  // namespace heapcheck::cli
