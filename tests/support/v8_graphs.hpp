// Makes graphs of V8 heap snapshots by hand, for tests. The graphs own their columns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "heapcheck/types/graph.hpp"

namespace heapcheck::tests {

struct MadeNode {
  std::string kind;
  std::string name;
  std::uint64_t size;
};
struct MadeEdge {
  std::uint32_t source;
  std::string kind;
  std::string name;  ///< the name of the edge, or its index
  std::uint32_t target;
};

inline std::uint8_t add_kind(std::vector<GraphKind>& kinds, const std::string& name) {
  const auto found = std::ranges::find(kinds, name, &GraphKind::name);
  const auto index = static_cast<std::uint8_t>(found - kinds.begin());
  if (found == kinds.end())
    kinds.push_back({.name = name, .is_weak = name == "weak", .has_index = name == "element"});
  return index;
}

/// Adds a number to the id of each node.
inline void shift_ids(Graph& graph, std::uint64_t by) {
  for (std::uint32_t i = 0; i < graph.node_count(); ++i) graph.node_id.set(i, graph.node_id[i] + by);
}

/// Node `i` has the id `2 * i + 1`, as in V8. Edges are in order of their sources.
inline Graph make_v8_graph(const std::vector<MadeNode>& nodes, const std::vector<MadeEdge>& edges) {
  Graph graph;
  graph.rules = RetentionRules::devtools;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    graph.node_kind.push_back(add_kind(graph.node_kinds, nodes[i].kind));
    graph.node_name.push_back(graph.texts.add(nodes[i].name));
    graph.node_size.push_back(nodes[i].size);
    graph.node_id.push_back(2 * i + 1);
    graph.first_edge.push_back(graph.edge_count());
    for (const MadeEdge& edge : edges) {
      if (edge.source != i) continue;
      graph.edge_kind.push_back(add_kind(graph.edge_kinds, edge.kind));
      const bool has_index = graph.edge_kinds[graph.edge_kind.back()].has_index;
      graph.edge_name.push_back(has_index ? static_cast<std::uint32_t>(std::stoul(edge.name))
                                          : graph.texts.add(edge.name));
      graph.edge_target.push_back(edge.target);
    }
  }
  graph.first_edge.push_back(graph.edge_count());
  return graph;
}

}  // namespace heapcheck::tests
