// Property: for any graph, dominators, retained sizes and distances match their definitions. The first byte
// determines the number of nodes. The other bytes are pairs of the source and the target of an edge.
#include <algorithm>
#include <span>
#include <vector>

#include "analyze/dominators.hpp"
#include "fuzz/support/made_graph.hpp"
#include "fuzz/support/property.hpp"
#include "graph/breadth_first.hpp"
#include "graph/reach.hpp"
#include "graph/retention.hpp"

using namespace heapcheck;
using fuzz::require;

namespace {

constexpr std::uint32_t none = analyze::Dominators::none;

/// The nodes that can be reached from the root through retaining edges without passing through `removed`,
/// which itself counts as reached.
graph::NodeSet find_reached(const Graph& graph, const graph::EdgeSet& edges, std::uint32_t removed) {
  graph::EdgesByNode followed(graph.node_count(), [&](std::uint64_t node) {
    std::vector<std::uint64_t> targets;
    for (const Edge edge : graph.node(static_cast<std::uint32_t>(node)).edges())
      if (node != removed && edges.has(edge.index())) targets.push_back(edge.target());
    return targets;
  });
  return graph::find_reachable(followed);
}

void require_definition(const Graph& graph, const graph::EdgeSet& edges) {
  const auto dominators = analyze::find_dominators(graph, edges, analyze::Unreached::left_out);
  const auto retained = analyze::find_retained_sizes(dominators, graph.node_size);
  const graph::NodeSet reached = find_reached(graph, edges, none);
  require(reached.count() == dominators.order.size(), "the tree has the reachable nodes");
  for (std::uint32_t a = 0; a < graph.node_count(); ++a) {
    const graph::NodeSet without = find_reached(graph, edges, a);
    std::uint64_t size = 0;
    for (std::uint32_t b = 0; b < graph.node_count(); ++b)
      size += reached.has(a) && reached.has(b) && (a == b || !without.has(b)) ? graph.node_size[b] : 0;
    require(retained[a] == size, "a node retains what cannot be reached without it");
  }
}

void require_sums(const Graph& graph, const graph::EdgeSet& edges) {
  std::uint64_t before = 0;
  for (const std::uint64_t size : graph.node_size) before += size;
  const auto sizes = graph::find_counted_sizes(graph);
  const auto dominators = analyze::find_dominators(graph, edges, analyze::Unreached::held_by_root);
  require(dominators.order.size() == graph.node_count(), "the root holds every node");
  require(analyze::find_retained_sizes(dominators, sizes)[0] == before, "moving sizes keeps their sum");
  require(graph::find_distances(graph).size() == graph.node_count(), "every node has a distance");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::uint32_t count = data[0] % 64 + 1U;
  const std::span<const std::uint8_t> edges(data + 1, std::min<std::size_t>(size - 1, 512));
  for (const bool is_v8 : {false, true}) {
    const Graph graph = fuzz::make_graph(count, edges, is_v8);
    const graph::EdgeSet retaining = graph::find_retaining_edges(graph);
    require_definition(graph, retaining);
    require_sums(graph, retaining);
  }
  return 0;
}
