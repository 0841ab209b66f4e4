#include "analyze/answers/other_holders.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <set>

#include "analyze/answers/rows.hpp"
#include "analyze/answers/write.hpp"
#include "analyze/totals.hpp"
#include "graph/node_set.hpp"

namespace heapcheck::analyze::answers {
namespace {

/// The node and all nodes that it dominates.
graph::NodeSet find_dominated(const Heap& heap, std::uint32_t node) {
  graph::NodeSet found(heap.graph().node_count());
  std::vector<std::uint32_t> waiting{node};
  while (!waiting.empty()) {
    const std::uint32_t next = waiting.back();
    waiting.pop_back();
    found.add(next);
    const auto below = heap.dominated_by(next);
    waiting.insert(waiting.end(), below.begin(), below.end());
  }
  return found;
}

/// One edge from each node that holds `node`, apart from `known`.
std::vector<std::uint64_t> find_other_holders(const Heap& heap, std::uint32_t node, std::uint32_t known) {
  const Graph& graph = heap.graph();
  const graph::NodeSet dominated = find_dominated(heap, node);
  std::vector<std::uint64_t> edges;
  std::set<std::uint32_t> seen{known};
  for (const std::uint64_t edge : heap.edges_to(node)) {
    const std::uint32_t source = heap.source_of(edge);
    const bool is_root = graph.node(source).kind().group == NodeGroup::root;
    const bool counts =
        !is_root && !Edge(graph, edge).kind().is_weak && heap.dominator_of(source) && !dominated.has(source);
    if (counts && seen.insert(source).second) edges.push_back(edge);
  }
  return edges;
}

std::string show_node(const Graph& graph, std::uint32_t index) {
  const Node node = graph.node(index);
  return fmt::format("{}{} @{}", show_name(node), show_place_after(place_of(graph, node.place())), node.id());
}

}  // namespace

std::string describe_other_holders(const Heap& heap, const std::vector<PathStep>& path) {
  const Graph& graph = heap.graph();
  for (std::size_t i = path.size(); i-- > 1;) {
    const std::uint32_t node = path[i].node;
    const std::uint32_t before = path[i - 1].node;
    if (graph.node(node).name().starts_with("system / Context")) return {};
    if (heap.dominator_of(node) == before) continue;
    const std::vector<std::uint64_t> others = find_other_holders(heap, node, before);
    if (others.empty()) return {};
    const std::string label = label_of(Edge(graph, others[0]));
    const std::string more = others.size() == 1 ? ""
                                                : fmt::format(", and {} {}", show_count(others.size() - 1),
                                                              others.size() == 2 ? "other" : "others");
    return fmt::format("{} is also held by {} through {}{}\n", show_node(graph, node),
                       show_node(graph, heap.source_of(others[0])), label.empty() ? "Unknown" : label, more);
  }
  return {};
}

}  // namespace heapcheck::analyze::answers
