#include "analyze/duplicates.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "formats/core/checked.hpp"

namespace heapcheck::analyze {
namespace {

struct String {
  std::string_view text;
  std::uint64_t size;
  auto operator<=>(const String&) const = default;
};

/// All strings of the graph, equal ones next to each other.
std::vector<String> sort_strings(const Graph& graph) {
  std::vector<String> strings;
  for (const Node& node : graph.nodes()) {
    const GraphKind& kind = node.kind();
    if (kind.group == NodeGroup::string && kind.has_contents) strings.push_back({node.name(), node.size()});
  }
  std::ranges::sort(strings);
  return strings;
}

}  // namespace

std::vector<DuplicateStrings> find_duplicates(const Graph& graph) {
  std::vector<DuplicateStrings> found;
  const std::vector<String> strings = sort_strings(graph);
  for (auto first = strings.begin(); first != strings.end();) {
    const auto end = std::find_if(first, strings.end(), [&](const String& s) { return s != *first; });
    const auto count = static_cast<std::uint64_t>(end - first);
    const std::uint64_t wasted = core::checked_multiply(first->size, count - 1).value_or(UINT64_MAX);
    if (count > 1)
      found.push_back({std::string(first->text), count, core::saturating_add(wasted, first->size), wasted});
    first = end;
  }
  std::ranges::sort(found, [](const DuplicateStrings& a, const DuplicateStrings& b) {
    return std::tie(b.wasted, b.count, a.text) < std::tie(a.wasted, a.count, b.text);
  });
  return found;
}

}  // namespace heapcheck::analyze
