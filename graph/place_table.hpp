// Stores the places of nodes in a graph, each place only once. Borrows the graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "formats/core/keyed_hash.hpp"
#include "heapcheck/types/graph.hpp"

namespace heapcheck::graph {

/// Adds places to a graph. Nodes must be added in increasing order, or sorted afterwards.
class PlaceTable {
 public:
  /// The graph must not have any places yet.
  explicit PlaceTable(Graph& graph) : graph_(&graph) {}

  void add(std::uint32_t node, const SourcePlace& place) {
    const auto next = static_cast<std::uint32_t>(graph_->source_places.size());
    const auto [found, is_new] = by_place_.try_emplace(place, next);
    if (is_new) graph_->source_places.push_back(place);
    graph_->node_places.push_back({.node = node, .place = found->second});
  }

 private:
  struct Hash : core::KeyedHash {
    std::size_t operator()(const SourcePlace& place) const {
      const std::uint64_t position = std::uint64_t{place.line} << 32U | place.column;
      return combine(KeyedHash::operator()(place.file), position);
    }
  };

  Graph* graph_;
  std::unordered_map<SourcePlace, std::uint32_t, Hash> by_place_;  // KeyedHash
};

}  // namespace heapcheck::graph
