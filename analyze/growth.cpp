#include "analyze/growth.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>

#include "analyze/suspects.hpp"
#include "formats/core/checked.hpp"

namespace heapcheck::analyze {
namespace {

using Nodes = std::vector<std::uint32_t>;

/// The indices of nodes, in increasing order of their ids.
Nodes sort_by_id(const Graph& graph) {
  Nodes nodes(graph.node_count());
  for (std::uint32_t i = 0; i < nodes.size(); ++i) nodes[i] = i;
  std::ranges::sort(nodes, {}, [&](std::uint32_t node) { return std::pair(graph.node_id[node], node); });
  return nodes;
}

std::vector<std::uint64_t> sort_ids(const Graph& graph) {
  std::vector<std::uint64_t> ids = graph.node_id;
  std::ranges::sort(ids);
  return ids;
}

bool has_ids(const Graph& graph) {
  for (std::uint32_t i = 0; i < graph.node_count(); ++i) {
    if (graph.node_id[i] != i) return true;
  }
  return false;
}

/// Assigns numbers to the types of nodes. The numbers are the same in two graphs.
class TypeNumbers {
 public:
  TypeNumbers(const Graph& first, const Graph& last) {
    for (const Graph* graph : {&first, &last}) {
      std::vector<Type> types = list_types(*graph);
      types_.insert(types_.end(), types.begin(), types.end());
    }
    std::ranges::sort(types_);
    types_.erase(std::ranges::unique(types_).begin(), types_.end());
  }

  /// The number of the type of each node.
  [[nodiscard]] std::vector<std::uint32_t> number(const Graph& graph) const {
    std::vector<std::uint32_t> numbers;
    numbers.reserve(graph.node_count());
    for (const Node& node : graph.nodes()) {
      const auto found = std::ranges::lower_bound(types_, type_of(node));
      numbers.push_back(static_cast<std::uint32_t>(found - types_.begin()));
    }
    return numbers;
  }

 private:
  /// Kind, name and representation.
  using Type = std::tuple<std::string_view, std::string_view, std::string_view>;

  static Type type_of(const Node& node) {
    return {node.kind().name, find_group_name(node), node.representation()};
  }

  static std::vector<Type> list_types(const Graph& graph) {
    std::vector<Type> types;
    for (const Node& node : graph.nodes()) types.push_back(type_of(node));
    std::ranges::sort(types);
    types.erase(std::ranges::unique(types).begin(), types.end());
    return types;
  }

  std::vector<Type> types_;
};

/// The types of a node and of its two nearest dominators.
using EdgePlace = std::array<std::uint32_t, 3>;

constexpr std::uint32_t no_type = UINT32_MAX;

std::vector<EdgePlace> find_places(const Moment& moment, const std::vector<std::uint32_t>& types) {
  std::vector<EdgePlace> places(types.size());
  for (std::uint32_t node = 0; node < types.size(); ++node) {
    std::uint32_t here = node;
    for (std::uint32_t& type : places[node]) {
      type = here == Dominators::none ? no_type : types[here];
      if (here != Dominators::none) here = moment.retention.dominators.dominator[here];
    }
  }
  return places;
}

/// The sizes of the nodes at each place, in increasing order of the places.
std::vector<std::pair<EdgePlace, std::uint64_t>> add_sizes(const std::vector<EdgePlace>& places,
                                                           const std::vector<std::uint64_t>& sizes) {
  std::vector<std::pair<EdgePlace, std::uint64_t>> sums;
  for (std::size_t i = 0; i < places.size(); ++i) sums.emplace_back(places[i], sizes[i]);
  std::ranges::sort(sums);
  std::size_t kept = 0;
  for (std::size_t i = 1; i < sums.size(); ++i) {
    if (sums[i].first == sums[kept].first) {
      sums[kept].second = core::saturating_add(sums[kept].second, sums[i].second);
    } else {
      sums[++kept] = sums[i];
    }
  }
  sums.resize(std::min(sums.size(), kept + 1));
  return sums;
}

/// The sum at a place, or 0 if there is none.
std::uint64_t find_sum(const std::vector<std::pair<EdgePlace, std::uint64_t>>& sums, const EdgePlace& place) {
  const auto found = std::ranges::lower_bound(sums, place, {}, &std::pair<EdgePlace, std::uint64_t>::first);
  return found == sums.end() || found->first != place ? 0 : found->second;
}

}  // namespace

bool share_ids(const Graph& first, const Graph& last) {
  if (!has_ids(first) || !has_ids(last)) return false;
  const Nodes before = sort_by_id(first);
  const Nodes after = sort_by_id(last);
  std::uint64_t common = 0;
  std::uint64_t same = 0;
  for (std::size_t i = 0, j = 0; i < before.size() && j < after.size();) {
    const Node a = first.node(before[i]);
    const Node b = last.node(after[j]);
    if (a.id() == b.id()) {
      ++common;
      same += a.kind().name == b.kind().name && a.name() == b.name() ? 1U : 0U;
    }
    i += a.id() <= b.id() ? 1U : 0U;
    j += b.id() <= a.id() ? 1U : 0U;
  }
  return same * 10 >= common * 9 && common * 4 >= before.size();
}

std::vector<std::uint64_t> find_new_sizes(const Graph& first, std::span<const Graph* const> between,
                                          const Moment& last) {
  std::vector<std::uint64_t> sizes = last.retention.sizes;
  const std::vector<std::uint64_t> old = sort_ids(first);
  std::vector<std::vector<std::uint64_t>> needed;
  for (const Graph* graph : between) needed.push_back(sort_ids(*graph));
  for (std::uint32_t node = 0; node < last.graph.node_count(); ++node) {
    const std::uint64_t id = last.graph.node_id[node];
    const bool is_alive =
        std::ranges::all_of(needed, [id](const auto& ids) { return std::ranges::binary_search(ids, id); });
    if (!is_alive || std::ranges::binary_search(old, id)) sizes[node] = 0;
  }
  return sizes;
}

std::vector<std::uint64_t> estimate_new_sizes(const Moment& first, const Moment& last) {
  const TypeNumbers types(first.graph, last.graph);
  const auto before = add_sizes(find_places(first, types.number(first.graph)), first.retention.sizes);
  const std::vector<EdgePlace> places = find_places(last, types.number(last.graph));
  const auto after = add_sizes(places, last.retention.sizes);
  std::vector<std::uint64_t> sizes = last.retention.sizes;
  for (std::size_t node = 0; node < sizes.size(); ++node) {
    const std::uint64_t now = find_sum(after, places[node]);
    const std::uint64_t grown = now - std::min(now, find_sum(before, places[node]));
    const double share = now == 0 ? 0 : static_cast<double>(grown) / static_cast<double>(now);
    sizes[node] = static_cast<std::uint64_t>(std::llround(share * static_cast<double>(sizes[node])));
  }
  return sizes;
}

}  // namespace heapcheck::analyze
