#include "graph/breadth_first.hpp"

#include <array>
#include <charconv>
#include <cstddef>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "formats/core/keyed_hash.hpp"
#include "formats/core/stop.hpp"
#include "graph/retention.hpp"
#include "graph/v8_nodes.hpp"

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

  /// Follows the edges of all nodes found so far, and of the nodes to which they lead, but not the edges of
  /// `end`.
  void run(std::uint32_t end = ShortestPaths::unreached) {
    for (; next_ < found_.size(); ++next_) {
      if (found_[next_] == end) continue;
      for (const Edge edge : graph_.node(found_[next_]).edges()) follow(found_[next_], edge);
    }
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
  std::vector<std::uint32_t> found_;  // in the order in which they were found, which is by increasing
                                      // distance
  std::size_t next_ = 0;
};

/// Finds paths in stages. The edges of avoided nodes are followed only after everything that can be reached
/// without them has been found.
class StagedSearch {
 public:
  StagedSearch(const Graph& graph, const EdgeSet& edges, const AvoidedNodes& avoided, const NodeSet& ends)
      : graph_(graph),
        edges_(edges),
        avoided_(avoided),
        ends_(ends),
        left_(ends.count()),
        paths_{.distance = std::vector(graph.node_count(), ShortestPaths::unreached),
               .parent = std::vector(graph.node_count(), ShortestPaths::unreached),
               .parent_edge = std::vector(graph.node_count(), ShortestPaths::no_edge)} {}

  ShortestPaths run() {
    if (graph_.node_count() == 0) return std::move(paths_);
    paths_.distance[0] = 0;
    for (const bool is_program : {true, false}) {
      for (const Edge edge : graph_.node(0).edges()) {
        if (is_program_root(graph_, edge.target()) == is_program) follow(0, edge.index());
      }
      search(young);
    }
    search(momentary);
    return std::move(paths_);
  }

 private:
  enum Stage : std::uint8_t { plain, young, suspect, young_suspect, momentary, stage_count };

  const Graph& graph_;
  const EdgeSet& edges_;
  const AvoidedNodes& avoided_;
  const NodeSet& ends_;
  std::uint64_t left_;  ///< the number of ends that have not been found
  ShortestPaths paths_;
  /// By stage: the nodes whose edges are to be followed in that stage, and the next one of them.
  std::array<std::vector<std::uint32_t>, stage_count> waiting_;
  std::array<std::size_t, stage_count> next_{};

  [[nodiscard]] Stage stage_of(std::uint32_t node) const {
    if (is_momentary_root(graph_.node(node))) return momentary;
    const bool is_young = avoided_.young.has(node);
    if (avoided_.suspects.has(node)) return is_young ? young_suspect : suspect;
    return is_young ? young : plain;
  }

  /// Follows the edges of all waiting nodes up to the stage `last`, those of earlier stages first.
  void search(Stage last) {
    for (std::size_t stage = plain; stage <= last && left_ != 0;) {
      if (next_[stage] == waiting_[stage].size()) {
        ++stage;
        continue;
      }
      const std::uint32_t node = waiting_[stage][next_[stage]++];
      follow_all(node);
      stage = plain;  // what was found may belong to an earlier stage
    }
  }

  void follow_all(std::uint32_t node) {
    const std::uint64_t end = graph_.first_edge[std::size_t{node} + 1];
    for (std::uint64_t edge = graph_.first_edge[node]; edge < end; ++edge) follow(node, edge);
  }

  void follow(std::uint32_t from, std::uint64_t edge) {
    const std::uint32_t target = graph_.edge_target[static_cast<std::size_t>(edge)];
    if (paths_.distance[target] != ShortestPaths::unreached || !edges_.has(edge)) return;
    paths_.distance[target] = paths_.distance[from] + 1;
    paths_.parent[target] = from;
    paths_.parent_edge[target] = edge;
    if (ends_.has(target)) --left_;
    waiting_[stage_of(target)].push_back(target);
  }
};

/// Leaves out the edges that DevTools does not follow when it measures distances.
class DevToolsFilter {
 public:
  explicit DevToolsFilter(const Graph& graph) : graph_(graph), is_ephemeron_(find_ephemeron_names(graph)) {}

  /// `edge` leads from `node` to a node that has no distance yet.
  bool follows(const Node& node, const Edge& edge) {
    const std::string_view kind = node.kind().name;
    if (kind == "hidden" && edge.name() == "sloppy_function_map" && node.name() == "system / NativeContext")
      return false;
    if (kind == "array" && node.name() == "(map descriptors)") return !is_descriptor(edge);
    return edge.kind().name != "internal" ||
           follows_entry(graph_.edge_name[static_cast<std::size_t>(edge.index())]);
  }

 private:
  const Graph& graph_;
  NodeSet is_ephemeron_;                                                ///< by text
  std::unordered_set<std::string_view, core::KeyedHash> half_entries_;  ///< entries of which one edge has
                                                                        ///< been seen

  /// Whether an element of a descriptor array is a descriptor. Maps share these arrays, and not every
  /// descriptor applies to every map. Descriptors begin at index 2, and each has a key, a type and a value.
  static bool is_descriptor(const Edge& edge) {
    std::uint32_t index = edge.number();
    if (!edge.kind().has_index) {
      const std::string_view name = edge.name();
      const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
      if (error != std::errc()) return false;
    }
    return index >= 2 && index % 3 == 1;
  }

  /// The distance of a value in a WeakMap is determined by the second of its two edges.
  bool follows_entry(std::uint32_t name) {
    if (!is_ephemeron_.has(name)) return true;
    const std::string_view entry = parse_ephemeron(graph_.texts[name])->entry;
    if (half_entries_.erase(entry) != 0) return true;
    half_entries_.insert(entry);
    return false;
  }
};

/// A breadth-first search that can be continued from other nodes.
class Search {
 public:
  explicit Search(const Graph& graph) : graph_(graph), distance_(graph.node_count(), no_distance) {}

  void start_from(std::uint32_t node, std::uint32_t distance) {
    distance_[node] = distance;
    found_.push_back(node);
  }

  /// `follows` decides whether to follow an edge to a node that has not been found.
  template <class Follows>
  void run(Follows follows) {
    std::size_t next = 0;
    while (next < found_.size()) {  // `found_` grows in the loop
      const Node node = graph_.node(found_[next++]);
      for (const Edge edge : node.edges()) {
        if (distance_[edge.target()] != no_distance || edge.kind().is_weak || !follows(node, edge)) continue;
        start_from(edge.target(), distance_[node.index()] + 1);
      }
    }
    found_.clear();
  }

  [[nodiscard]] bool is_empty() const { return found_.empty(); }
  std::vector<std::uint32_t> take() { return std::move(distance_); }

 private:
  const Graph& graph_;
  std::vector<std::uint32_t> distance_;
  std::vector<std::uint32_t> found_;
};

/// Searches from the user roots first, and then from the root for the nodes that cannot be reached from the
/// user roots.
std::vector<std::uint32_t> find_as_devtools(const Graph& graph) {
  Search search(graph);
  DevToolsFilter filter(graph);
  const auto follows = [&filter](const Node& node, const Edge& edge) { return filter.follows(node, edge); };
  for (const Edge edge : graph.node(0).edges()) {
    if (is_user_root(graph, edge.target())) search.start_from(edge.target(), 1);
  }
  const std::uint32_t root = search.is_empty() ? 0 : system_distance;
  search.run(follows);
  search.start_from(0, root);
  search.run(follows);
  return search.take();
}

}  // namespace

ShortestPaths find_shortest_paths(const Graph& graph, WeakEdges weak_edges) {
  core::check_stop();
  BreadthFirst search(graph, weak_edges);
  search.run();
  return search.take();
}

ShortestPaths find_paths_until(const Graph& graph, std::uint32_t end) {
  BreadthFirst search(graph, WeakEdges::left_out);
  search.run(end);
  return search.take();
}

ShortestPaths find_program_paths(const Graph& graph, const EdgeSet& edges, const AvoidedNodes& avoided,
                                 const NodeSet& ends) {
  core::check_stop();
  return StagedSearch(graph, edges, avoided, ends).run();
}

std::vector<std::uint32_t> find_distances(const Graph& graph) {
  if (graph.node_count() == 0) return {};
  if (graph.rules == RetentionRules::devtools) return find_as_devtools(graph);
  Search search(graph);
  search.start_from(0, 0);
  search.run([](const Node&, const Edge&) { return true; });
  return search.take();
}

}  // namespace heapcheck::graph
