// Generated graphs, and the simplest and slowest algorithms for them, for comparison.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "graph/node_set.hpp"
#include "heapcheck/types/graph.hpp"
#include "tests/support/graphs.hpp"

namespace heapcheck::tests {

/// Every edge of the graph.
inline graph::EdgeSet all_edges(const Graph& graph) {
  graph::EdgeSet edges(graph.edge_count());
  for (std::uint64_t edge = 0; edge < graph.edge_count(); ++edge) edges.add(edge);
  return edges;
}

/// The nodes that can be reached from the root without passing through `removed`.
inline graph::NodeSet find_reached_without(const Graph& graph, std::uint32_t removed) {
  graph::NodeSet reached(graph.node_count());
  std::vector<std::uint32_t> waiting{0};
  while (!waiting.empty()) {
    const std::uint32_t node = waiting.back();
    waiting.pop_back();
    if (node == removed || !reached.add(node)) continue;
    for (const Edge edge : graph.node(node).edges()) waiting.push_back(edge.target());
  }
  return reached;
}

enum class Shape : std::uint8_t { random, list, star, tree, forward, backward };
constexpr Shape shapes[] = {Shape::random, Shape::list,    Shape::star,
                            Shape::tree,   Shape::forward, Shape::backward};

/// Edges of that shape between `count` nodes, and `more` random edges, which include loops and repeated
/// edges.
inline EdgeLists make_edges(Shape shape, std::uint32_t count, std::uint32_t more, std::mt19937& random) {
  EdgeLists edges(count);
  const auto below = [&random](std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); };
  for (std::uint32_t i = 1; i < count; ++i) {
    if (shape == Shape::list) edges[i - 1].push_back(i), edges[i].push_back(i - 1);
    if (shape == Shape::star) edges[0].push_back(i), edges[i].push_back(0);
    if (shape == Shape::tree) edges[below(i)].push_back(i);
    if (shape == Shape::forward) edges[i - 1].push_back(i), edges[below(i)].push_back(i);
    if (shape == Shape::backward) edges[i - 1].push_back(i), edges[i].push_back(below(i));
  }
  for (std::uint32_t i = 0; i < more; ++i) edges[below(count)].push_back(below(count));
  return edges;
}

}  // namespace heapcheck::tests
