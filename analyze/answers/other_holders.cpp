#include "analyze/answers/other_holders.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "analyze/answers/rows.hpp"
#include "analyze/answers/write.hpp"
#include "analyze/dominators.hpp"
#include "analyze/totals.hpp"
#include "graph/node_set.hpp"

namespace heapcheck::analyze::answers {
namespace {

/// An edge from another holder, and where it leads from.
struct Holding {
  std::uint64_t edge;
  std::uint32_t source;
};

/// The edges to some nodes from what holds them, one from each holder.
class OtherHolders {
 public:
  OtherHolders(const Heap& heap, const std::vector<PathStep>& path, const graph::NodeSet& wanted)
      : heap_(heap), dominators_(heap.program_retention().dominators), order_(find_preorder(dominators_)) {
    place_.resize(heap.graph().node_count());
    for (std::uint32_t i = 0; i < order_.nodes.size(); ++i) place_[order_.nodes[i]] = i;
    for (std::size_t i = 1; i < path.size(); ++i) {
      if (wanted.has(path[i].node)) before_[path[i].node] = path[i - 1].node;
    }
    find(wanted);
  }

  /// The holders of a node apart from the node before it on the path.
  [[nodiscard]] const std::vector<Holding>& of(std::uint32_t node) { return holders_[node]; }

 private:
  void find(const graph::NodeSet& wanted) {
    const graph::EdgeSet& retaining = heap_.program_retention().edges;
    for (const Node& source : heap_.graph().nodes()) {
      if (source.kind().group == NodeGroup::root) continue;
      for (const Edge edge : source.edges()) {
        if (wanted.has(edge.target()) && retaining.has(edge.index())) add(source.index(), edge);
      }
    }
  }

  void add(std::uint32_t source, const Edge& edge) {
    const std::uint32_t node = edge.target();
    std::vector<Holding>& found = holders_[node];
    const bool is_known = source == before_[node] || (!found.empty() && found.back().source == source);
    // Garbage holds nothing, and neither does what would be freed with the node.
    if (is_known || !heap_.dominator_of(source) || dominates(node, source)) return;
    found.push_back({.edge = edge.index(), .source = source});
  }

  [[nodiscard]] bool dominates(std::uint32_t node, std::uint32_t other) const {
    const std::uint32_t place = place_[other];
    return place_[node] <= place && place < order_.end[place_[node]];
  }

  const Heap& heap_;
  const Dominators& dominators_;
  Preorder order_;
  std::vector<std::uint32_t> place_;  ///< of each node in the order
  std::map<std::uint32_t, std::uint32_t> before_;
  std::map<std::uint32_t, std::vector<Holding>> holders_;
};

/// The nodes on the path that do not depend on the node before them, from the last one on.
std::vector<std::uint32_t> find_independent(const Heap& heap, const std::vector<PathStep>& path) {
  const std::vector<std::uint32_t>& dominator = heap.program_retention().dominators.dominator;
  std::vector<std::uint32_t> nodes;
  for (std::size_t i = path.size(); i-- > 1;) {
    const std::uint32_t node = path[i].node;
    if (heap.graph().node(node).name().starts_with("system / Context")) break;
    if (dominator[node] != path[i - 1].node) nodes.push_back(node);
  }
  return nodes;
}

std::string show_node(const Graph& graph, std::uint32_t index) {
  const Node node = graph.node(index);
  return fmt::format("{}{} @{}", show_name(node), show_place_after(place_of(graph, node.place())), node.id());
}

}  // namespace

std::string describe_other_holders(const Heap& heap, const std::vector<PathStep>& path) {
  const Graph& graph = heap.graph();
  const std::vector<std::uint32_t> nodes = find_independent(heap, path);
  if (nodes.empty()) return {};
  graph::NodeSet wanted(graph.node_count());
  for (const std::uint32_t node : nodes) wanted.add(node);
  OtherHolders holders(heap, path, wanted);
  for (const std::uint32_t node : nodes) {
    const std::vector<Holding>& others = holders.of(node);
    if (others.empty()) continue;
    const std::string label = label_of(Edge(graph, others[0].edge));
    const std::string more = others.size() == 1 ? ""
                                                : fmt::format(", and {} {}", show_count(others.size() - 1),
                                                              others.size() == 2 ? "other" : "others");
    return fmt::format("{} is also held by {} through {}{}\n", show_node(graph, node),
                       show_node(graph, others[0].source), label.empty() ? "Unknown" : label, more);
  }
  return {};
}

}  // namespace heapcheck::analyze::answers
