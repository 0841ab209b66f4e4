// Finds the nodes of a graph that can be reached from its root. A graph is anything that provides the targets
// of edges, so the search can read the columns of each format directly, and nothing has to be copied.
#pragma once

#include <concepts>
#include <cstdint>
#include <utility>
#include <vector>

#include "graph/node_set.hpp"
#include "heapcheck/types/graph.hpp"

namespace heapcheck::graph {

/// Finds the targets of the edges of a sound graph. It may remember a position between calls.
template <class Source>
concept EdgeSource = requires(Source source, std::uint64_t node, void (*use)(std::uint64_t target)) {
  { source.node_count() } -> std::convertible_to<std::uint64_t>;
  /// Calls `use` with the target of each edge of `node`. `node` increases with each call.
  source.follow_next(node, use);
  /// Does the same for a node that comes before the node in the last call to follow_next().
  source.follow_earlier(node, use);
};

/// Finds the nodes that can be reached from those in `met`, and adds them. Visits the nodes in order. Writers
/// number nodes as they find them, so most nodes are found before they are due, and their edges are read
/// sequentially. Only nodes that are found later need a lookup. Takes time linear in the number of nodes and
/// edges.
template <EdgeSource Source>
NodeSet find_reachable(Source& source, NodeSet met) {
  const std::uint64_t count = source.node_count();
  std::vector<std::uint64_t> late;  // nodes that were found after they were due
  for (std::uint64_t here = 0; here < count; ++here) {
    if (!met.has(here)) continue;
    const auto meet = [&](std::uint64_t node) {
      // Whether a node is new is hard to predict, but new nodes are hardly ever late.
      const bool is_new = met.add(node);
      const bool is_due = node < here;
      if ((is_new & is_due) != 0) late.push_back(node);
    };
    source.follow_next(here, meet);
    while (!late.empty()) {
      const std::uint64_t node = late.back();
      late.pop_back();
      source.follow_earlier(node, meet);
    }
  }
  return met;
}

/// Does the same from the root.
template <EdgeSource Source>
NodeSet find_reachable(Source& source) {
  NodeSet met(source.node_count());
  if (source.node_count() != 0) met.add(0);
  return find_reachable(source, std::move(met));
}

/// Edges that can be found by node: `targets_of(node)` returns their targets as a range.
template <class TargetsOf>
class EdgesByNode {
 public:
  EdgesByNode(std::uint64_t node_count, TargetsOf targets_of)
      : node_count_(node_count), targets_of_(std::move(targets_of)) {}

  [[nodiscard]] std::uint64_t node_count() const { return node_count_; }
  template <class Use>
  void follow_next(std::uint64_t node, Use&& use) const {
    for (const std::uint64_t target : targets_of_(node)) use(target);
  }
  template <class Use>
  void follow_earlier(std::uint64_t node, Use&& use) const {
    follow_next(node, use);
  }

 private:
  std::uint64_t node_count_;
  TargetsOf targets_of_;
};

}  // namespace heapcheck::graph
