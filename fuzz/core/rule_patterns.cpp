// Property: a pattern for rule ids matches the same rules as fnmatch() does, and a selection that ignores
// these rules leaves the others unchanged.
#include <fnmatch.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/support/property.hpp"
#include "validate/catalog.hpp"
#include "validate/grammar.hpp"
#include "validate/selection.hpp"

using namespace heapcheck;
using fuzz::require;
using validation::Selection;

namespace {

/// Whether the pattern has the same meaning for fnmatch(), which treats a NUL as the end of a pattern.
bool is_comparable(const std::string& text) {
  return validation::grammar::pattern(text) && text.find('\0') == std::string::npos;
}

bool matches_independently(const std::string& pattern, std::string_view id) {
  std::string start(id);
  while (::fnmatch(pattern.c_str(), start.c_str(), FNM_NOESCAPE) != 0) {
    if (start.find('.') == std::string::npos) return false;
    start.erase(start.rfind('.'));
  }
  return true;
}

void require_same_rules(const std::string& pattern) {
  const std::vector<const Rule*> found = validation::find_rules(pattern);
  for (const Rule* rule : validation::all_rules()) {
    const bool is_found = std::ranges::find(found, rule) != found.end();
    require(is_found == matches_independently(pattern, rule->id), "fnmatch() finds the same rules");
  }
}

void require_ignored(const std::string& pattern) {
  const std::vector<const Rule*> found = validation::find_rules(pattern);
  const auto selection = Selection::make({}, {&pattern, 1}, {});
  if (!selection) return;
  for (const Rule* rule : validation::all_rules()) {
    const bool is_ignored = rule->stage != Stage::limit && std::ranges::find(found, rule) != found.end();
    const auto expected = is_ignored ? std::nullopt : std::optional(rule->severity);
    require(selection->severity_of(*rule) == expected, "only these rules are ignored");
  }
}

/// Requires that the rules about limits are never changed.
void require_sound(const Selection& selection) {
  for (const Rule* rule : validation::all_rules()) {
    require(rule->stage != Stage::limit || selection.severity_of(*rule) == rule->severity,
            "a selection keeps the limits");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + std::min<std::size_t>(size, 200));
  if (is_comparable(text)) {
    require_same_rules(text);
    require_ignored(text);
  }
  if (const auto selection = Selection::make({&text, 1}, {}, {})) require_sound(*selection);
  if (const auto selection = Selection::make({}, {}, {&text, 1})) require_sound(*selection);
  return 0;
}
