#include "analyze/dominators.hpp"

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <utility>

#include "formats/core/checked.hpp"
#include "graph/retention.hpp"

namespace heapcheck::analyze {
namespace {

constexpr std::uint32_t none = Dominators::none;

/// The nodes that a search found, numbered in the order in which they were found.
struct Tree {
  std::vector<std::uint32_t> number;  ///< by node; `none` if it was not found
  std::vector<std::uint32_t> order;   ///< nodes by number
  std::vector<std::uint32_t> parent;  ///< by number: the number of the node from which it was found
};

/// A depth-first search without recursion.
class DepthFirst {
 public:
  DepthFirst(const Graph& graph, const graph::EdgeSet& edges)
      : graph_(graph),
        edges_(edges),
        tree_{.number = std::vector(graph.node_count(), none), .order = {}, .parent = {}} {
    tree_.order.reserve(graph.node_count());
    tree_.parent.reserve(graph.node_count());
    next_edge_.reserve(graph.node_count());
  }

  [[nodiscard]] bool has_found(std::uint32_t node) const { return tree_.number[node] != none; }

  /// Finds everything that can be reached from `node`, which becomes a child of the first node found.
  void search(std::uint32_t node) {
    const std::uint32_t start = enter(node, 0);
    for (std::uint32_t here = start;;) {
      const std::uint32_t target = find_next(here);
      if (target != none) {
        here = enter(target, here);
      } else {
        if (here == start) return;
        here = tree_.parent[here];
      }
    }
  }

  Tree take() { return std::move(tree_); }

 private:
  const Graph& graph_;
  const graph::EdgeSet& edges_;
  Tree tree_;
  std::vector<std::uint64_t> next_edge_;  ///< by number

  std::uint32_t enter(std::uint32_t node, std::uint32_t parent) {
    const auto number = static_cast<std::uint32_t>(tree_.order.size());
    tree_.number[node] = number;
    tree_.order.push_back(node);
    tree_.parent.push_back(parent);
    next_edge_.push_back(graph_.first_edge[node]);
    return number;
  }

  /// The next node that has not been found yet among the targets of the edges of the node with the number
  /// `here`.
  std::uint32_t find_next(std::uint32_t here) {
    const std::uint64_t end = graph_.first_edge[std::size_t{tree_.order[here]} + 1];
    for (std::uint64_t& edge = next_edge_[here]; edge != end; ++edge) {
      const std::uint32_t target = graph_.edge_target[static_cast<std::size_t>(edge)];
      if (!has_found(target) && edges_.has(edge)) return target;
    }
    return none;
  }
};

/// Searches from the root and then from the remaining nodes without sources, as if the root had edges to
/// them.
Tree search(const Graph& graph, const graph::EdgeSet& edges, const ReverseEdges* sources) {
  DepthFirst search(graph, edges);
  search.search(0);
  for (std::uint32_t node = 1; sources != nullptr && node < graph.node_count(); ++node) {
    if (!search.has_found(node) && sources->sources_of(node).empty()) search.search(node);
  }
  return search.take();
}

/// Finds the smallest semidominator on paths in the tree, for nodes that have been processed, that is, for
/// nodes after `last`.
class Paths {
 public:
  explicit Paths(const std::vector<std::uint32_t>& parent) : ancestor_(parent), least_(parent.size()) {
    for (std::uint32_t i = 0; i < least_.size(); ++i) least_[i] = i;
  }

  void set(std::uint32_t number, std::uint32_t semidominator) { least_[number] = semidominator; }

  /// The smallest value on the path from `number` up to, but not including, the first node that is not after
  /// `last`. If `number` itself is such a node, returns its own number. Shortens the path. On the way up,
  /// each ancestor on the path is replaced with the node below it, so that no stack is needed on the way
  /// back.
  std::uint32_t find_least(std::uint32_t number, std::uint32_t last) {
    if (number <= last) return number;
    std::uint32_t below = none;
    while (ancestor_[number] > last) below = std::exchange(number, std::exchange(ancestor_[number], below));
    const std::uint32_t top = ancestor_[number];
    std::uint32_t least = least_[number];
    while (below != none) {
      least = least_[below] = std::min(least, least_[below]);
      below = std::exchange(ancestor_[below], top);
    }
    return least;
  }

 private:
  std::vector<std::uint32_t> ancestor_;
  std::vector<std::uint32_t> least_;
};

/// The semidominators of all nodes, by number. The semidominator of a node is the first node from which there
/// is a path to that node on which all nodes in between come after it.
std::vector<std::uint32_t> find_semidominators(const Tree& tree, const ReverseEdges& sources) {
  std::vector<std::uint32_t> semidominator = tree.parent;
  Paths paths(tree.parent);
  for (auto i = static_cast<std::uint32_t>(tree.order.size()); i-- > 1;) {
    std::uint32_t least = semidominator[i];
    for (const std::uint32_t source : sources.sources_of(tree.order[i])) {
      const std::uint32_t number = tree.number[source];
      if (number != none) least = std::min(least, paths.find_least(number, i));
    }
    semidominator[i] = least;
    paths.set(i, least);
  }
  return semidominator;
}

/// Shortens long walks up the dominator tree: in addition to its dominator, each node has a more distant
/// ancestor, so that the number of steps to any ancestor is logarithmic. The distances of these ancestors are
/// taken from E. Myers, "An applicative random-access stack" (1983).
class Ancestors {
 public:
  /// Adds the nodes before `count`, whose dominators are known.
  Ancestors(const std::vector<std::uint32_t>& dominator, std::uint32_t count)
      : dominator_(dominator), far_(dominator.size()), depth_(dominator.size()) {
    for (std::uint32_t i = 1; i < count; ++i) add(i);
  }

  /// The nearest ancestor of `number`, or `number` itself, that is not after `last`.
  [[nodiscard]] std::uint32_t find_not_after(std::uint32_t number, std::uint32_t last) const {
    while (number > last) number = far_[number] > last ? far_[number] : dominator_[number];
    return number;
  }

  /// Adds a node, all of whose ancestors have been added.
  void add(std::uint32_t number) {
    const std::uint32_t near = dominator_[number];
    const std::uint32_t far = far_[near];
    const bool are_equal = depth_[near] - depth_[far] == depth_[far] - depth_[far_[far]];
    far_[number] = are_equal ? far_[far] : near;
    depth_[number] = depth_[near] + 1;
  }

 private:
  const std::vector<std::uint32_t>& dominator_;
  std::vector<std::uint32_t> far_;
  std::vector<std::uint32_t> depth_;
};

/// Does the same as find_numbers, starting at node `first`, in n log n time for any tree. Uses 8 bytes for
/// each node.
void find_far_numbers(std::vector<std::uint32_t>& dominator, const std::vector<std::uint32_t>& semidominator,
                      std::uint32_t first) {
  Ancestors ancestors(dominator, first);
  for (std::uint32_t i = first; i < dominator.size(); ++i) {
    dominator[i] = ancestors.find_not_after(dominator[i], semidominator[i]);
    ancestors.add(i);
  }
}

/// The immediate dominators by number: for each node, the nearest ancestor that is not after its
/// semidominator. In real graphs, the way there is short. In other graphs, it may be long, so the steps are
/// counted.
std::vector<std::uint32_t> find_numbers(Tree& tree, const std::vector<std::uint32_t>& semidominator) {
  constexpr std::size_t steps_per_node = 4;
  std::vector<std::uint32_t> dominator = std::move(tree.parent);
  std::size_t steps = dominator.size() * steps_per_node;
  for (std::uint32_t i = 1; i < dominator.size(); ++i) {
    for (; dominator[i] > semidominator[i]; --steps) {
      if (steps == 0) {
        find_far_numbers(dominator, semidominator, i);
        return dominator;
      }
      dominator[i] = dominator[dominator[i]];
    }
  }
  return dominator;
}

/// Adds the nodes that have not been found, which can be reached only from one another.
void add_unreached(const std::vector<std::uint32_t>& number, Dominators& out) {
  for (std::uint32_t node = 0; node < number.size(); ++node) {
    if (number[node] != none) continue;
    out.dominator[node] = 0;
    out.order.push_back(node);
  }
}

}  // namespace

Dominators find_dominators(const Graph& graph, const graph::EdgeSet& edges, Unreached unreached) {
  Dominators out;
  if (graph.node_count() == 0) return out;
  std::vector<std::uint32_t> numbers;
  Tree tree;
  {
    const ReverseEdges sources(graph, edges);
    tree = search(graph, edges, unreached == Unreached::held_by_root ? &sources : nullptr);
    const std::vector<std::uint32_t> semidominator = find_semidominators(tree, sources);
    numbers = find_numbers(tree, semidominator);
  }
  out.dominator.assign(graph.node_count(), none);
  for (std::uint32_t i = 1; i < numbers.size(); ++i) out.dominator[tree.order[i]] = tree.order[numbers[i]];
  out.order = std::move(tree.order);
  if (unreached == Unreached::held_by_root) add_unreached(tree.number, out);
  return out;
}

/// Counts the nodes of each dominator first, because the counts determine the positions.
DominatedNodes::DominatedNodes(const Dominators& dominators)
    : first_(dominators.dominator.size() + 1),
      nodes_(dominators.order.empty() ? 0 : dominators.order.size() - 1) {
  for (const std::uint32_t dominator : dominators.dominator) {
    if (dominator != none) ++first_[dominator];
  }
  std::uint32_t end = 0;
  for (std::uint32_t& first : first_) first = end += first;
  // Each entry is now the end of its node's list, and is moved to the beginning of the list.
  for (auto node = static_cast<std::uint32_t>(dominators.dominator.size()); node-- > 0;) {
    const std::uint32_t dominator = dominators.dominator[node];
    if (dominator != none) nodes_[--first_[dominator]] = node;
  }
}

std::vector<std::uint64_t> find_retained_sizes(const Dominators& dominators,
                                               std::span<const std::uint64_t> sizes) {
  std::vector<std::uint64_t> retained(sizes.size());
  // Runs backwards, so that the size of a node is complete before it is added to the size of its dominator.
  for (std::size_t i = dominators.order.size(); i-- > 0;) {
    const std::uint32_t node = dominators.order[i];
    retained[node] = core::saturating_add(retained[node], sizes[node]);
    if (i == 0) break;
    std::uint64_t& outer = retained[dominators.dominator[node]];
    outer = core::saturating_add(outer, retained[node]);
  }
  return retained;
}

namespace {

Retention make_retention(const Graph& graph, graph::EdgeSet edges, Unreached unreached) {
  Dominators dominators = find_dominators(graph, edges, unreached);
  Retention retention{.edges = std::move(edges),
                      .dominators = std::move(dominators),
                      .sizes = graph::find_counted_sizes(graph),
                      .retained = {}};
  retention.retained = find_retained_sizes(retention.dominators, retention.sizes);
  return retention;
}

bool is_collector_root(const Node& node) { return node.kind().name == "inter-generational roots"; }

}  // namespace

Retention find_retention(const Graph& graph) {
  const bool holds_all = graph.rules == RetentionRules::devtools;
  return make_retention(graph, graph::find_retaining_edges(graph),
                        holds_all ? Unreached::held_by_root : Unreached::left_out);
}

bool has_collector_roots(const Graph& graph) {
  return std::ranges::find(graph.node_kinds, "inter-generational roots", &GraphKind::name) !=
         graph.node_kinds.end();
}

Retention find_program_retention(const Graph& graph) {
  graph::EdgeSet edges(graph.edge_count());
  for (const Node& node : graph.nodes()) {
    if (is_collector_root(node)) continue;
    for (const Edge edge : node.edges()) {
      if (!edge.kind().is_weak) edges.add(edge.index());
    }
  }
  return make_retention(graph, std::move(edges), Unreached::held_by_root);
}

Preorder find_preorder(const Dominators& dominators) {
  const std::vector<std::uint32_t>& order = dominators.order;
  const std::vector<std::uint32_t>& dominator = dominators.dominator;
  std::vector<std::uint32_t> count(dominator.size(),
                                   1);  // the number of nodes that each node dominates, including itself
  for (const std::uint32_t node : std::views::reverse(order)) {
    if (dominator[node] != Dominators::none) count[dominator[node]] += count[node];
  }
  Preorder out{.nodes = std::vector<std::uint32_t>(order.size()),
               .end = std::vector<std::uint32_t>(order.size())};
  std::vector<std::uint32_t> next(dominator.size());  // the place of the next node that each node dominates
  for (const std::uint32_t node : order) {
    const bool is_root = dominator[node] == Dominators::none;
    const std::uint32_t place = is_root ? 0 : next[dominator[node]];
    if (!is_root) next[dominator[node]] += count[node];
    next[node] = place + 1;
    out.nodes[place] = node;
    out.end[place] = place + count[node];
  }
  return out;
}

/// Counts the edges to each node first, because the counts determine the positions of the sources.
ReverseEdges::ReverseEdges(const Graph& graph, const graph::EdgeSet& edges)
    : first_(std::size_t{graph.node_count()} + 1) {
  for (std::uint64_t edge = 0; edge < graph.edge_count(); ++edge) {
    if (edges.has(edge)) ++first_[graph.edge_target[static_cast<std::size_t>(edge)]];
  }
  std::uint64_t end = 0;
  for (std::uint64_t& first : first_) first = end += first;
  sources_.resize(static_cast<std::size_t>(end));
  // Each entry is now the end of its node's sources, and is moved to the beginning of these sources.
  for (std::uint32_t node = graph.node_count(); node-- > 0;) {
    for (std::uint64_t edge = graph.first_edge[std::size_t{node} + 1]; edge-- > graph.first_edge[node];) {
      if (!edges.has(edge)) continue;
      std::uint64_t& place = first_[graph.edge_target[static_cast<std::size_t>(edge)]];
      sources_[static_cast<std::size_t>(--place)] = node;
    }
  }
}

}  // namespace heapcheck::analyze
