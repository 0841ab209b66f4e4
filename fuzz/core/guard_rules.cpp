// Property: for any bytes, either a file of rules for `assert` is rejected with the number of one of its
// lines, or its rules are read back unchanged after they are written as TOML; the same holds for a list of
// known leaks.
#include "cli/config/guard_rules.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/guard.hpp"
#include "cli/config/config.hpp"
#include "fuzz/support/property.hpp"

using namespace heapcheck;
using fuzz::require;

namespace {

void require_line_of_rules(const std::string& message, std::string_view text) {
  require(message.starts_with("x:"), "an error begins with the path");
  const unsigned long line = std::stoul(message.substr(2));
  const auto breaks = static_cast<unsigned long>(std::ranges::count(text, '\n'));
  require(line >= 1 && line <= breaks + 1, "an error has a line of the file");
}

std::vector<std::string> list_texts(const cli::GuardRules& rules) {
  std::vector<std::string> texts;
  for (const cli::LinedRule& rule : rules.rules) texts.push_back(rule.text);
  return texts;
}

void check_rule(const std::string& text) {
  const auto rule = analyze::parse_guard_rule(text);
  if (!rule) return;
  require(text.ends_with(rule->text), "a rule ends with its text");
  const auto again = analyze::parse_guard_rule(rule->text);
  require(again.has_value(), "a rule can be read without its format");
  require(again->requirement == rule->requirement && again->query == rule->query && again->by == rule->by,
          "it is the same");
}

void check_rules(std::string_view text) {
  const auto rules = cli::parse_guard_rules(text, "x");
  if (!rules) return require_line_of_rules(rules.error().message, text);
  for (const cli::LinedRule& rule : rules->rules) check_rule(rule.text);
  const std::string written = "rules = " + cli::make_toml(list_texts(*rules)) + "\n";
  if (written.size() > cli::max_config_bytes) return;
  const auto again = cli::parse_guard_rules(written, "x");
  require(again && list_texts(*again) == list_texts(*rules), "the rules are read back unchanged");
}

void check_known(std::string_view text) {
  const auto known = cli::parse_known_leaks(text, "x");
  if (!known) return require_line_of_rules(known.error().message, text);
  std::string written;
  for (const std::string& fingerprint : *known) written += fingerprint + "\n";
  require(cli::parse_known_leaks(written, "x") == *known, "the fingerprints are read back unchanged");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_rules(text);
  check_known(text);
  check_rule(std::string(text));
  return 0;
}
