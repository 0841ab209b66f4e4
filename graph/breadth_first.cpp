#include "graph/breadth_first.hpp"

#include <cstddef>
#include <utility>

#include "graph/retention.hpp"

namespace heapcheck::graph {
namespace {

class BreadthFirst {
 public:
  BreadthFirst(const Graph& graph, WeakEdges weak_edges)
      : graph_(graph),
        weak_edges_(weak_edges),
        paths_{.distance = std::vector(graph.node_count(), ShortestPaths::unreached),
               .parent = std::vector(graph.node_count(), ShortestPaths::unreached),
               .parent_edge = std::vector(graph.node_count(), ShortestPaths::no_edge)} {
    found_.reserve(graph.node_count());
    if (graph.node_count() == 0) return;
    found_.push_back(0);
    paths_.distance[0] = 0;
  }

  /// Follows the edges of all nodes that have been found, and of those that they lead to, but not of `end`.
  void run(std::uint32_t end = ShortestPaths::unreached) {
    for (; next_ < found_.size(); ++next_) {
      if (found_[next_] == end) continue;
      for (const Edge edge : graph_.node(found_[next_]).edges()) follow(found_[next_], edge);
    }
  }

  /// Follows the edges from the root to what the program holds, and then those of what they lead to.
  void run_from_program_roots() {
    if (found_.empty()) return;
    for (const Edge edge : graph_.node(0).edges()) {
      if (is_program_root(graph_, edge.target())) follow(0, edge);
    }
    ++next_;
    run();
    next_ = 0;
  }

  ShortestPaths take() { return std::move(paths_); }

 private:
  void follow(std::uint32_t from, const Edge& edge) {
    const std::uint32_t target = edge.target();
    if (paths_.distance[target] != ShortestPaths::unreached) return;
    if (weak_edges_ == WeakEdges::left_out && edge.kind().is_weak) return;
    paths_.distance[target] = paths_.distance[from] + 1;
    paths_.parent[target] = from;
    paths_.parent_edge[target] = edge.index();
    found_.push_back(target);
  }

  const Graph& graph_;
  WeakEdges weak_edges_;
  ShortestPaths paths_;
  std::vector<std::uint32_t> found_;  // in the order in which they were found: by increasing distance
  std::size_t next_ = 0;
};

}  // namespace

ShortestPaths find_shortest_paths(const Graph& graph, WeakEdges weak_edges) {
  BreadthFirst search(graph, weak_edges);
  search.run();
  return search.take();
}

ShortestPaths find_paths_until(const Graph& graph, std::uint32_t end) {
  BreadthFirst search(graph, WeakEdges::left_out);
  search.run(end);
  return search.take();
}

ShortestPaths find_program_paths(const Graph& graph) {
  BreadthFirst search(graph, WeakEdges::left_out);
  search.run_from_program_roots();
  search.run();
  return search.take();
}

}  // namespace heapcheck::graph
