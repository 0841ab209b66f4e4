// A set of nodes of one graph, with one bit per node. Owns its bits.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heapcheck::graph {

class NodeSet {
 public:
  /// An empty set for nodes below `size`.
  explicit NodeSet(std::uint64_t size) : size_(size), words_(static_cast<std::size_t>(size / 64 + 1)) {}

  /// Adds a node, which must be below size(). Returns whether it is new.
  bool add(std::uint64_t node) {
    std::uint64_t& word = words_[static_cast<std::size_t>(node / 64)];
    const std::uint64_t bit = std::uint64_t{1} << (node % 64);
    const bool is_new = (word & bit) == 0;
    word |= bit;
    return is_new;
  }
  /// Returns whether the set contains `node`, which must be below size().
  [[nodiscard]] bool has(std::uint64_t node) const {
    return (words_[static_cast<std::size_t>(node / 64)] >> (node % 64) & 1U) != 0;
  }

  /// The number of nodes in the graph.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// The number of nodes in the set.
  [[nodiscard]] std::uint64_t count() const {
    std::uint64_t total = 0;
    for (const std::uint64_t word : words_) total += static_cast<std::uint64_t>(std::popcount(word));
    return total;
  }
  /// The first node that is not in the set, or size() if the set contains all nodes.
  [[nodiscard]] std::uint64_t find_missing() const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (words_[i] != UINT64_MAX)
        return std::min<std::uint64_t>(size_, i * 64 + static_cast<unsigned>(std::countr_one(words_[i])));
    }
    return size_;
  }

 private:
  std::uint64_t size_;
  std::vector<std::uint64_t> words_;
};

/// A set of edges of one graph, by index.
using EdgeSet = NodeSet;

}  // namespace heapcheck::graph
