#include "analyze/query.hpp"

#include <algorithm>

namespace heapcheck::analyze {
namespace {

std::string_view text_of(const Node& node, Field field) {
  switch (field) {
    case Field::type:
      return node.type_name();
    case Field::representation:
      return node.representation();
    case Field::kind:
      return node.kind().name;
    default:
      return node.name();
  }
}

std::uint64_t number_of(const Node& node, Field field, std::span<const std::uint64_t> retained) {
  if (field == Field::retained) return retained[node.index()];
  return field == Field::id ? node.id() : node.size();
}

bool fits(const Node& node, const Condition& condition, std::span<const std::uint64_t> retained) {
  if (const auto* number = std::get_if<std::uint64_t>(&condition.value))
    return holds(condition.comparison, number_of(node, condition.field, retained), *number);
  const std::string_view text = text_of(node, condition.field);
  const std::string_view wanted = std::get<std::string>(condition.value);
  if (condition.comparison == Comparison::contains) return text.contains(wanted);
  return holds(condition.comparison, text, wanted);
}

}  // namespace

std::vector<std::uint32_t> find_nodes(const Graph& graph, const Query& query,
                                      std::span<const std::uint64_t> retained) {
  std::vector<std::uint32_t> found;
  for (const Node& node : graph.nodes()) {
    if (query.group && node.kind().group != *query.group) continue;
    if (std::ranges::all_of(query.conditions, [&](const Condition& c) { return fits(node, c, retained); }))
      found.push_back(node.index());
  }
  if (query.order) {
    const auto key = [&](std::uint32_t node) { return number_of(graph.node(node), *query.order, retained); };
    std::ranges::sort(
        found, [&](std::uint32_t a, std::uint32_t b) { return key(a) != key(b) ? key(a) > key(b) : a < b; });
  }
  return found;
}

}  // namespace heapcheck::analyze
