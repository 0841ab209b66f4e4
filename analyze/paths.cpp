#include "analyze/paths.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <ranges>
#include <set>
#include <tuple>
#include <utility>

#include "analyze/dominator_tree.hpp"
#include "analyze/dominators.hpp"
#include "analyze/reverse_edges.hpp"
#include "formats/core/stop.hpp"
#include "graph/node_set.hpp"

namespace heapcheck::analyze {
namespace {

using graph::ShortestPaths;

/// The tree of shortest paths, in the form of a dominator tree.
Dominators make_tree(const ShortestPaths& paths) {
  static_assert(ShortestPaths::unreached == Dominators::none);
  core::check_stop();
  Dominators tree{.dominator = paths.parent, .order = {}};
  for (std::uint32_t node = 0; node < paths.distance.size(); ++node) {
    if (paths.distance[node] != ShortestPaths::unreached) tree.order.push_back(node);
  }
  std::ranges::sort(tree.order, {},
                    [&](std::uint32_t node) { return std::pair(paths.distance[node], node); });
  return tree;
}

graph::EdgeSet find_followed_edges(const Graph& graph) {
  core::check_stop();
  graph::EdgeSet edges(graph.edge_count());
  for (const Node& node : graph.nodes()) {
    for (const Edge edge : node.edges()) {
      if (!edge.kind().is_weak) edges.add(edge.index());
    }
  }
  return edges;
}

/// The first edge between two nodes that is not weak.
std::uint64_t find_edge(const Graph& graph, std::uint32_t from, std::uint32_t to) {
  for (const Edge edge : graph.node(from).edges()) {
    if (edge.target() == to && !edge.kind().is_weak) return edge.index();
  }
  return ShortestPaths::no_edge;
}

/// An edge that leaves the tree of shortest paths. The path continues to the start of the detour `next` or,
/// if there is none, to the end.
struct Detour {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::optional<std::size_t> next;
  std::uint64_t length = 0;  ///< the number of edges from `from` to the end
};

class Detours {
 public:
  Detours(const Graph& graph, std::uint32_t end)
      : graph_(graph),
        end_(end),
        paths_(graph::find_paths_until(graph, end)),
        sources_(graph, find_followed_edges(graph)),
        tree_(find_preorder(make_tree(paths_))),
        place_(graph.node_count()),
        seen_(graph.node_count()) {
    for (std::uint32_t i = 0; i < tree_.nodes.size(); ++i) place_[tree_.nodes[i]] = i;
  }

  std::vector<std::vector<PathStep>> find(std::size_t most, std::size_t most_steps) {
    std::vector<std::vector<PathStep>> found;
    if (most == 0 || paths_.distance[end_] == ShortestPaths::unreached) return found;
    found.push_back(trace(paths_, end_));
    std::size_t steps = found.back().size();
    add_detours(std::nullopt, most);
    while (found.size() < most && steps < most_steps && !waiting_.empty()) {
      const std::size_t detour = std::get<1>(*waiting_.begin());
      waiting_.erase(waiting_.begin());
      found.push_back(trace_detours(detour));
      steps += found.back().size();
      add_detours(detour, most);
    }
    return found;
  }

 private:
  using Waiting = std::pair<std::uint64_t, std::size_t>;  // the length of the path and its first detour

  /// The places in tree_ of a node and all nodes below it, to which the shortest paths lead through it.
  struct Branch {
    std::uint32_t first = 0;
    std::uint32_t end = 0;

    [[nodiscard]] bool has(std::uint32_t place) const { return place >= first && place < end; }
  };

  /// Adds the detours that lead to the nodes on the way to the first detour of a path or to the end.
  void add_detours(std::optional<std::size_t> next, std::size_t most) {
    const std::uint32_t last = next ? detours_[*next].from : end_;
    const std::uint64_t rest = next ? detours_[*next].length : 0;
    const std::vector<Branch> later = find_branches(next);
    for (std::uint32_t to = last; to != ShortestPaths::unreached && seen_.add(to); to = paths_.parent[to]) {
      core::check_stop();
      const std::uint64_t length = rest + paths_.distance[last] - paths_.distance[to] + 1;
      const Branch own = branch_of(to);
      std::uint32_t before = paths_.parent[to];
      for (const std::uint32_t from : sources_.sources_of(to)) {
        if (from == std::exchange(before, from) || from == paths_.parent[to]) continue;
        const bool is_loop = own.has(place_[from]) || has(later, place_[from]);
        if (!is_loop) add({.from = from, .to = to, .next = next, .length = length}, most);
      }
    }
  }

  void add(const Detour& detour, std::size_t most) {
    if (paths_.distance[detour.from] == ShortestPaths::unreached) return;
    const std::uint64_t length = paths_.distance[detour.from] + detour.length;
    if (waiting_.size() >= most && length >= waiting_.rbegin()->first) return;
    waiting_.emplace(length, detours_.size());
    detours_.push_back(detour);
    if (waiting_.size() > most) waiting_.erase(std::prev(waiting_.end()));
  }

  [[nodiscard]] Branch branch_of(std::uint32_t node) const {
    return {.first = place_[node], .end = tree_.end[place_[node]]};
  }

  /// The branches of the nodes to which a detour and those after it lead, without branches of others. A
  /// detour from a node in one of them would lead through the same node twice.
  [[nodiscard]] std::vector<Branch> find_branches(std::optional<std::size_t> detour) const {
    std::vector<Branch> all;
    for (; detour; detour = detours_[*detour].next) all.push_back(branch_of(detours_[*detour].to));
    std::ranges::sort(all, {}, &Branch::first);
    std::vector<Branch> outermost;
    for (const Branch& branch : all) {
      if (outermost.empty() || branch.first >= outermost.back().end) outermost.push_back(branch);
    }
    return outermost;
  }

  static bool has(const std::vector<Branch>& branches, std::uint32_t place) {
    const auto after = std::ranges::upper_bound(branches, place, {}, &Branch::first);
    return after != branches.begin() && std::prev(after)->has(place);
  }

  [[nodiscard]] std::vector<PathStep> trace_detours(std::optional<std::size_t> first) const {
    std::vector<std::size_t> detours;
    for (; first; first = detours_[*first].next) detours.push_back(*first);
    std::vector<PathStep> steps;  // from the end to the root
    std::uint32_t node = end_;
    for (const std::size_t index : std::views::reverse(detours)) {
      const Detour& detour = detours_[index];
      for (; node != detour.to; node = paths_.parent[node])
        steps.push_back({.node = node, .edge = paths_.parent_edge[node]});
      steps.push_back({.node = node, .edge = find_edge(graph_, detour.from, node)});
      node = detour.from;
    }
    const std::vector<PathStep> start = trace(paths_, node);
    steps.insert(steps.end(), start.rbegin(), start.rend());
    std::ranges::reverse(steps);
    return steps;
  }

  const Graph& graph_;
  std::uint32_t end_;
  ShortestPaths paths_;
  ReverseEdges sources_;
  Preorder tree_;
  std::vector<std::uint32_t> place_;  // of each node in tree_
  graph::NodeSet seen_;               // the nodes whose detours have been added
  std::vector<Detour> detours_;
  std::set<Waiting> waiting_;
};

}  // namespace

std::vector<PathStep> trace(const ShortestPaths& paths, std::uint32_t node) {
  if (paths.distance[node] == ShortestPaths::unreached) return {};
  std::vector<PathStep> steps;
  for (; paths.parent_edge[node] != ShortestPaths::no_edge; node = paths.parent[node])
    steps.push_back({.node = node, .edge = paths.parent_edge[node]});
  steps.push_back({.node = node, .edge = {}});
  std::ranges::reverse(steps);
  return steps;
}

std::vector<std::vector<PathStep>> find_paths(const Graph& graph, std::uint32_t node, std::size_t most,
                                              std::size_t most_steps) {
  return Detours(graph, node).find(most, most_steps);
}

std::vector<MergedPathRow> merge_paths(const Graph& graph, const ShortestPaths& paths,
                                       std::span<const std::uint32_t> nodes, std::uint64_t limit) {
  if (graph.node_count() == 0) return {};
  std::vector<std::uint64_t> ends(graph.node_count());  // the number of `nodes` at this place or below it
  for (const std::uint32_t node : nodes) ends[node] = 1;
  Dominators tree = make_tree(paths);
  for (const std::uint32_t node : std::views::reverse(tree.order)) {
    if (tree.dominator[node] != Dominators::none) ends[tree.dominator[node]] += ends[node];
    if (ends[node] == 0) tree.dominator[node] = Dominators::none;
  }
  core::check_stop();
  std::vector<MergedPathRow> rows;
  for (DominatorRow& row : find_largest_branches(graph, DominatedNodes(tree), ends, 0, Branches::types, limit,
                                                 paths.parent_edge)) {
    MergedPathRow& merged = rows.emplace_back(row.depth, row.node, std::nullopt, std::move(row.name));
    if (row.depth != 0) merged.edge = general_name_of(Edge(graph, paths.parent_edge[row.node]));
    merged.count = row.count;
    merged.ends = row.retained;
  }
  return rows;
}

}  // namespace heapcheck::analyze
