// Grows a graph: adds nodes to a small graph so that the result has the same shape but does not repeat parts
// of it. A new node is drawn from the seed's nodes that are similar to the one to which its parent refers,
// and has the same number of edges. Each edge leads to a new node if the seed's writer encountered a new node
// there, and otherwise as far back as in the seed. Owns only its columns.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bench/enlarge/random.hpp"

namespace heapcheck::bench {

/// A graph with node 0 as its root, in the order in which its writer numbered the nodes.
struct SeedGraph {
  std::vector<std::uint32_t> degree;   ///< by node: the number of its edges
  std::vector<std::uint64_t> first;    ///< by node: its first edge
  std::vector<std::uint32_t> target;   ///< by edge: a node
  std::vector<std::uint32_t> order;    ///< all nodes, in the order in which their edges were written
  std::vector<std::uint32_t> similar;  ///< by node: its group, from which a new node may be drawn
  std::vector<bool> is_single;         ///< by node: whether it occurs only once even in a larger heap
  std::uint32_t hub = 0;               ///< the node that refers to as many new nodes as needed

  [[nodiscard]] std::uint32_t node_count() const { return static_cast<std::uint32_t>(degree.size()); }
};

/// Marks the nodes with so many incoming edges that a larger heap has more edges to them rather than more
/// such nodes.
void mark_singles(SeedGraph& seed);

/// The nodes and edges of the seed, with the same numbers, plus those that were added.
struct GrownGraph {
  std::vector<std::uint32_t> origin;  ///< by node: the node of the seed that it resembles
  std::vector<std::uint64_t> first;   ///< by node: its first edge
  std::vector<std::uint32_t> target;  ///< by edge: a node
  std::uint64_t hub_degree = 0;       ///< the number of the hub's edges, including its edges to new nodes

  [[nodiscard]] std::uint32_t node_count() const { return static_cast<std::uint32_t>(origin.size()); }
  [[nodiscard]] std::uint64_t degree(const SeedGraph& seed, std::uint32_t node) const {
    return node == seed.hub ? hub_degree : seed.degree[origin[node]];
  }
  [[nodiscard]] std::span<const std::uint32_t> targets(const SeedGraph& seed, std::uint32_t node) const {
    return std::span(target).subspan(first[node], degree(seed, node));
  }
};

/// The seed with new nodes, up to a total of `node_count`. If every node of the seed can be reached, the same
/// is true of the result.
GrownGraph grow(const SeedGraph& seed, std::uint64_t node_count, Random& random);

}  // namespace heapcheck::bench
