#include "validate/catalog.hpp"

#include <algorithm>
#include <array>

#include "formats/chrome/faults.hpp"
#include "formats/chrome/heaps_v2/faults.hpp"
#include "formats/chrome/legacy/faults.hpp"
#include "formats/core/faults.hpp"
#include "formats/core/json/faults.hpp"
#include "formats/mvmheap/v1/faults.hpp"
#include "formats/mvmheap/v2/faults.hpp"
#include "formats/mvmheap/v3/faults.hpp"
#include "formats/v8/heapprofile/faults.hpp"
#include "formats/v8/heapsnapshot/faults.hpp"
#include "validate/chrome/check.hpp"
#include "validate/chrome/heaps_v2/rules.hpp"
#include "validate/chrome/legacy/rules.hpp"
#include "validate/mvmheap/collectable_rules.hpp"
#include "validate/mvmheap/reference_rules.hpp"
#include "validate/mvmheap/table_rules.hpp"
#include "validate/mvmheap/v1/graph_rules.hpp"
#include "validate/mvmheap/v2/index_rules.hpp"
#include "validate/mvmheap/v2/section_rules.hpp"
#include "validate/mvmheap/v3/column_rules.hpp"
#include "validate/mvmheap/v3/file_rules.hpp"
#include "validate/mvmheap/v3/meta_rules.hpp"
#include "validate/mvmheap/v3/toc_rules.hpp"
#include "validate/v8/heapprofile/sample_rules.hpp"
#include "validate/v8/heapprofile/tree_rules.hpp"
#include "validate/v8/heapsnapshot/consumers/devtools_rules.hpp"
#include "validate/v8/heapsnapshot/consumers/devtools_text_rules.hpp"
#include "validate/v8/heapsnapshot/consumers/devtools_trace_rules.hpp"
#include "validate/v8/heapsnapshot/consumers/memlab_rules.hpp"
#include "validate/v8/heapsnapshot/count_rules.hpp"
#include "validate/v8/heapsnapshot/edge_rules.hpp"
#include "validate/v8/heapsnapshot/node_rules.hpp"
#include "validate/v8/heapsnapshot/reachability.hpp"
#include "validate/v8/heapsnapshot/string_rules.hpp"
#include "validate/v8/heapsnapshot/trace_rules.hpp"

namespace heapcheck::validation {
namespace {

using RuleTable = std::span<const Rule* const>;

/// One line for each header with rules; what rules there are is listed there.
constexpr RuleTable tables[] = {
    heapcheck::chrome::rules::faults,
    heapcheck::chrome::heaps_v2::rules::faults,
    heapcheck::chrome::legacy::rules::faults,
    heapcheck::core::rules::faults,
    heapcheck::core::rules::json_faults,
    heapcheck::mvmheap::v1::rules::faults,
    heapcheck::mvmheap::v2::rules::faults,
    heapcheck::mvmheap::v3::rules::faults,
    heapcheck::v8::heapprofile::rules::faults,
    heapcheck::v8::heapsnapshot::rules::faults,
    heapcheck::validation::chrome::rules::trace_rules,
    heapcheck::validation::chrome::heaps_v2::rules::heaps_v2_rules,
    heapcheck::validation::chrome::legacy::rules::legacy_rules,
    heapcheck::validation::mvmheap::rules::collectable_rules,
    heapcheck::validation::mvmheap::rules::reference_rules,
    heapcheck::validation::mvmheap::rules::table_rules,
    heapcheck::validation::mvmheap::v1::rules::graph_rules,
    heapcheck::validation::mvmheap::v2::rules::index_rules,
    heapcheck::validation::mvmheap::v2::rules::section_rules,
    heapcheck::validation::mvmheap::v3::rules::column_rules,
    heapcheck::validation::mvmheap::v3::rules::file_rules,
    heapcheck::validation::mvmheap::v3::rules::meta_rules,
    heapcheck::validation::mvmheap::v3::rules::toc_rules,
    heapcheck::validation::v8::heapprofile::rules::sample_rules,
    heapcheck::validation::v8::heapprofile::rules::tree_rules,
    heapcheck::validation::v8::heapsnapshot::consumers::rules::devtools_rules,
    heapcheck::validation::v8::heapsnapshot::consumers::rules::devtools_text_rules,
    heapcheck::validation::v8::heapsnapshot::consumers::rules::devtools_trace_rules,
    heapcheck::validation::v8::heapsnapshot::consumers::rules::memlab_rules,
    heapcheck::validation::v8::heapsnapshot::rules::count_rules,
    heapcheck::validation::v8::heapsnapshot::rules::edge_rules,
    heapcheck::validation::v8::heapsnapshot::rules::node_rules,
    heapcheck::validation::v8::heapsnapshot::rules::reachability_rules,
    heapcheck::validation::v8::heapsnapshot::rules::string_rules,
    heapcheck::validation::v8::heapsnapshot::rules::trace_rules,
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

}  // namespace

std::span<const Rule* const> all_rules() { return catalog; }

const Rule* find_rule(std::string_view id) {
  const auto* found = std::ranges::find(catalog, id, &Rule::id);
  return found == catalog.end() ? nullptr : *found;
}

}  // namespace heapcheck::validation
