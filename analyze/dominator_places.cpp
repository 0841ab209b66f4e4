#include "analyze/dominator_places.hpp"

#include <string_view>

#include "analyze/recent_types.hpp"
#include "analyze/suspects.hpp"

namespace heapcheck::analyze {

std::vector<std::uint32_t> TypeNumbers::number(const Graph& graph) {
  RecentTypes<std::uint32_t> recent(graph);
  std::vector<std::uint32_t> numbers;
  numbers.reserve(graph.node_count());
  for (const Node& node : graph.nodes()) {
    numbers.push_back(recent.find(node.index(), [&] {
      const auto next = static_cast<std::uint32_t>(numbers_.size());
      const std::tuple<std::string_view, std::string_view, std::string_view> type{
          node.kind().name, find_group_name(node), node.representation()};
      const auto found = numbers_.find(type);
      return found != numbers_.end() ? found->second : numbers_.emplace(type, next).first->second;
    }));
  }
  return numbers;
}

std::vector<DominatorPlace> find_places(const Graph& graph, const Dominators& dominators,
                                        TypeNumbers& types) {
  constexpr std::uint32_t no_type = UINT32_MAX;
  const std::vector<std::uint32_t> numbers = types.number(graph);
  std::vector<DominatorPlace> places(numbers.size());
  for (std::uint32_t node = 0; node < numbers.size(); ++node) {
    std::uint32_t here = node;
    for (std::uint32_t& type : places[node]) {
      type = here == Dominators::none ? no_type : numbers[here];
      if (here != Dominators::none) here = dominators.dominator[here];
    }
  }
  return places;
}

}  // namespace heapcheck::analyze
