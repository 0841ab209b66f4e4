// Property: for any bytes, either a configuration file is rejected with the number of one of its lines, or
// its settings are read back unchanged after they are written as TOML.
#include "cli/config/config.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "fuzz/support/property.hpp"

using namespace heapcheck;
using fuzz::require;

namespace {

std::string write_section(const cli::ConfigSection& section) {
  std::string text;
  if (!section.paths.empty()) text = "[[override]]\npaths = " + cli::make_toml(section.paths) + "\n";
  for (const cli::Setting& setting : section.settings)
    text += setting.name + " = " + cli::make_toml(setting.value) + "\n";
  return text;
}

bool is_same(const cli::ConfigSection& a, const cli::ConfigSection& b) {
  return a.paths == b.paths &&
         std::ranges::equal(a.settings, b.settings, [](const cli::Setting& x, const cli::Setting& y) {
           return x.name == y.name && x.value == y.value;
         });
}

void require_line(const std::string& message, std::string_view text) {
  require(message.starts_with("x:"), "an error begins with the path");
  const unsigned long line = std::stoul(message.substr(2));
  const auto breaks = static_cast<unsigned long>(std::ranges::count(text, '\n'));
  require(line >= 1 && line <= breaks + 1, "an error has a line of the file");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto config = cli::parse_config(text, "x");
  if (!config) {
    require_line(config.error().message, text);
    return 0;
  }
  std::string written;
  for (const cli::ConfigSection& section : config->sections) written += write_section(section);
  if (written.size() > cli::max_config_bytes) return 0;
  const auto again = cli::parse_config(written, "x");
  require(again.has_value(), "the settings are TOML");
  require(std::ranges::equal(config->sections, again->sections, is_same), "they are read back unchanged");
  return 0;
}
