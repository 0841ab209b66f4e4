#include "analyze/answers/other_holders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "analyze/answers/rows.hpp"
#include "analyze/answers/write.hpp"
#include "analyze/dominators.hpp"
#include "analyze/printed_name.hpp"
#include "analyze/totals.hpp"
#include "graph/node_set.hpp"
#include "graph/v8_nodes.hpp"

namespace heapcheck::analyze::answers {
namespace {

/// The positions on the path of the nodes that do not depend on the node before them, last one first.
std::vector<std::size_t> find_independent(const Heap& heap, const std::vector<PathStep>& path) {
  const std::vector<std::uint32_t>& dominator = heap.program_retention().dominators.dominator;
  std::vector<std::size_t> places;
  for (std::size_t i = path.size(); i-- > 1;) {
    const std::uint32_t node = path[i].node;
    if (graph::is_context(heap.graph().node(node))) break;
    if (dominator[node] != path[i - 1].node) places.push_back(i);
  }
  return places;
}

std::string show_node(const Graph& graph, std::uint32_t index) {
  const Node node = graph.node(index);
  return fmt::format("{}{} @{}", show_name(node), show_place_after(place_of(graph, node.place())), node.id());
}

}  // namespace

OtherHolders::OtherHolders(const Heap& heap, std::span<const Suspect> suspects) : heap_(heap) {
  graph::NodeSet wanted(heap.graph().node_count());
  bool is_any = false;
  for (const Suspect& suspect : suspects) {
    for (const std::size_t i : find_independent(heap, suspect.path))
      is_any = wanted.add(suspect.path[i].node) || is_any;
  }
  if (is_any) find(wanted);
}

void OtherHolders::find(const graph::NodeSet& wanted) {
  const Retention& retention = heap_.program_retention();
  const Preorder order = find_preorder(retention.dominators);
  std::vector<std::uint32_t> place(heap_.graph().node_count());
  for (std::uint32_t i = 0; i < order.nodes.size(); ++i) place[order.nodes[i]] = i;
  const auto dominates = [&](std::uint32_t node, std::uint32_t other) {
    return place[node] <= place[other] && place[other] < order.end[place[node]];
  };
  for (const Node& source : heap_.graph().nodes()) {
    // Garbage holds nothing.
    const bool is_alive = retention.dominators.dominator[source.index()] != Dominators::none;
    if (source.kind().group == NodeGroup::root || !is_alive) continue;
    for (const Edge edge : source.edges()) {
      if (!wanted.has(edge.target()) || !retention.edges.has(edge.index())) continue;
      std::vector<Holding>& found = holders_[edge.target()];
      const bool is_known = !found.empty() && found.back().source == source.index();
      // What would be freed with the node does not keep it alive.
      if (is_known || dominates(edge.target(), source.index())) continue;
      found.push_back({.edge = edge.index(), .source = source.index()});
    }
  }
}

std::string OtherHolders::describe(const std::vector<PathStep>& path) const {
  const Graph& graph = heap_.graph();
  for (const std::size_t i : find_independent(heap_, path)) {
    const std::uint32_t node = path[i].node;
    const auto found = holders_.find(node);
    if (found == holders_.end()) continue;
    const auto is_other = [&](const Holding& holding) { return holding.source != path[i - 1].node; };
    const auto first = std::ranges::find_if(found->second, is_other);
    if (first == found->second.end()) continue;
    const auto more = static_cast<std::uint64_t>(std::ranges::count_if(found->second, is_other)) - 1;
    const std::string label = label_of(Edge(graph, first->edge));
    return fmt::format(
        "{} is also held by {} through {}{}\n", show_node(graph, node), show_node(graph, first->source),
        label.empty() ? "Unknown" : label,
        more == 0 ? "" : fmt::format(", and {} {}", show_count(more), more == 1 ? "other" : "others"));
  }
  return {};
}

}  // namespace heapcheck::analyze::answers
