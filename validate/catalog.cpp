#include "validate/catalog.hpp"

#include <algorithm>
#include <array>

#include "formats/chrome/faults.hpp"
#include "formats/chrome/heaps_v2/faults.hpp"
#include "formats/chrome/legacy/faults.hpp"
#include "formats/core/faults.hpp"
#include "formats/core/json/faults.hpp"
#include "formats/mvmheap/faults.hpp"
#include "formats/mvmheap/v1/faults.hpp"
#include "formats/mvmheap/v2/faults.hpp"
#include "formats/mvmheap/v3/faults.hpp"
#include "formats/v8/heapprofile/faults.hpp"
#include "formats/v8/heapsnapshot/faults.hpp"
#include "validate/chrome/heaps_v2/map_rules.hpp"
#include "validate/chrome/heaps_v2/rules.hpp"
#include "validate/chrome/legacy/rules.hpp"
#include "validate/chrome/rules.hpp"
#include "validate/mvmheap/rules.hpp"
#include "validate/mvmheap/v1/rules.hpp"
#include "validate/mvmheap/v2/rules.hpp"
#include "validate/mvmheap/v3/rules.hpp"
#include "validate/reader_rules.hpp"
#include "validate/v8/heapprofile/rules.hpp"
#include "validate/v8/heapsnapshot/consistency/consistency_rules.hpp"
#include "validate/v8/heapsnapshot/readers/rules.hpp"
#include "validate/v8/heapsnapshot/rules.hpp"
#include "validate/v8/heapsnapshot/trace_rules.hpp"

namespace heapcheck::validation {
namespace {

using RuleTable = std::span<const Rule* const>;

/// One line for each header that contains rules. Each header lists its own rules.
constexpr RuleTable tables[] = {
    heapcheck::chrome::rules::faults,
    heapcheck::chrome::heaps_v2::rules::faults,
    heapcheck::chrome::legacy::rules::faults,
    heapcheck::core::rules::faults,
    heapcheck::core::rules::json_faults,
    heapcheck::mvmheap::rules::faults,
    heapcheck::mvmheap::v1::rules::faults,
    heapcheck::mvmheap::v2::rules::faults,
    heapcheck::mvmheap::v3::rules::faults,
    heapcheck::v8::heapprofile::rules::faults,
    heapcheck::v8::heapsnapshot::rules::faults,
    heapcheck::validation::chrome::heaps_v2::rules::all,
    heapcheck::validation::chrome::heaps_v2::rules::maps,
    heapcheck::validation::chrome::legacy::rules::all,
    heapcheck::validation::chrome::rules::all,
    heapcheck::validation::rules::all,
    heapcheck::validation::mvmheap::rules::all,
    heapcheck::validation::mvmheap::v1::rules::all,
    heapcheck::validation::mvmheap::v2::rules::all,
    heapcheck::validation::mvmheap::v3::rules::all,
    heapcheck::validation::v8::heapprofile::rules::all,
    heapcheck::validation::v8::heapsnapshot::readers::rules::all,
    heapcheck::validation::v8::heapsnapshot::rules::all,
    heapcheck::validation::v8::heapsnapshot::consistency::rules::all,
    heapcheck::validation::v8::heapsnapshot::rules::trace,
};

consteval std::size_t count_rules() {
  std::size_t count = 0;
  for (const RuleTable table : tables) count += table.size();
  return count;
}

consteval auto sort_by_id() {
  std::array<const Rule*, count_rules()> rules{};
  auto end = rules.begin();
  for (const RuleTable table : tables) end = std::ranges::copy(table, end).out;
  std::ranges::sort(rules, {}, &Rule::id);
  return rules;
}

constexpr auto catalog = sort_by_id();

/// Rules about parts that no question uses.
constexpr std::string_view unused_by_answers[] = {
    "mvm2.index.",     "mvm2.trailer.",    "mvm3.highscores.",
    "mvm3.snapmeta.",  "mvm3.toc.",        "v8prof.sample.",
    "v8prof.samples.", "v8snap.locations", "v8snap.nodes.trace-node",
    "v8snap.samples.", "v8snap.scopes.",   "v8snap.section.order",
    "v8snap.trace-",
};
/// The paths of such sections in a heap snapshot.
constexpr std::string_view unused_sections[] = {
    "/trace_function_infos", "/trace_tree", "/samples", "/locations", "/scope",
};

}  // namespace

std::span<const Rule* const> all_rules() { return catalog; }

const Rule* find_rule(std::string_view id) {
  auto found = std::ranges::find(catalog, id, &Rule::id);
  return found == catalog.end() ? nullptr : *found;
}

const Rule& rule_of_unread(const Report& report) {
  if (report.verdict == Verdict::undecided) return core::rules::limit_unrecognised;
  return report.is_of_unknown_format ? core::rules::input_unknown_format : core::rules::input_unreadable;
}

bool affects_answers(const Finding& finding) {
  const auto begins_with = [](std::string_view text) {
    return [text](std::string_view start) { return text.starts_with(start); };
  };
  if (std::ranges::any_of(unused_by_answers, begins_with(finding.rule->id))) return false;
  if (!finding.rule->id.starts_with("v8snap.section.")) return true;
  // One finding names all missing sections, and strings, which answers use, come last.
  return std::ranges::none_of(unused_sections, begins_with(finding.location.path)) ||
         finding.message.find("`strings`") != std::string::npos;
}

}  // namespace heapcheck::validation
