// Grows a graph: adds nodes to a small one so that the result has the shape of the small one, but repeats
// nothing of it. A new node is drawn from the nodes of the seed that are similar to the one that its parent
// refers to, and has as many edges as that; each edge leads to a new node if the seed's writer met a new node
// there, and otherwise as far back as in the seed. Owns nothing but its columns.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bench/enlarge/random.hpp"

namespace heapcheck::bench {

/// A graph with node 0 as its root, in the order in which its writer numbered the nodes.
struct SeedGraph {
  std::vector<std::uint32_t> degree;  ///< by node: the number of its edges
  std::vector<std::uint64_t> first;   ///< by node: its first edge
  std::vector<std::uint32_t> target;  ///< by edge: a node
  std::vector<std::uint32_t> order;   ///< all nodes, in the order in which their edges were written
  std::vector<std::uint32_t>
      similar;                  ///< by node: the number of its group; a new node may be any of its group
  std::vector<bool> is_single;  ///< by node: whether a larger heap has it only once
  std::uint32_t hub = 0;        ///< the node that refers to as many new nodes as necessary

  [[nodiscard]] std::uint32_t node_count() const { return static_cast<std::uint32_t>(degree.size()); }
};

/// Marks the nodes that so many edges lead to that a larger heap has more edges to them, not more of them.
void mark_singles(SeedGraph& seed);

/// The nodes and edges of the seed, with the same numbers, and those that were added to them.
struct GrownGraph {
  std::vector<std::uint32_t> origin;  ///< by node: the node of the seed that it is like
  std::vector<std::uint64_t> first;   ///< by node: its first edge
  std::vector<std::uint32_t> target;  ///< by edge: a node
  std::uint64_t hub_degree = 0;       ///< the hub's edges: those in the seed, and then its edges to new nodes

  [[nodiscard]] std::uint32_t node_count() const { return static_cast<std::uint32_t>(origin.size()); }
  [[nodiscard]] std::uint64_t degree(const SeedGraph& seed, std::uint32_t node) const {
    return node == seed.hub ? hub_degree : seed.degree[origin[node]];
  }
  [[nodiscard]] std::span<const std::uint32_t> targets(const SeedGraph& seed, std::uint32_t node) const {
    return std::span(target).subspan(first[node], degree(seed, node));
  }
};

/// The seed with new nodes, until there are `node_count`. Every node can be reached if that is so in the
/// seed.
GrownGraph grow(const SeedGraph& seed, std::uint64_t node_count, Random& random);

}  // namespace heapcheck::bench
