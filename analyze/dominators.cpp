#include "analyze/dominators.hpp"

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <utility>

#include "analyze/number_blocks.hpp"
#include "formats/core/checked.hpp"
#include "formats/core/freed_memory.hpp"
#include "formats/core/stop.hpp"
#include "graph/retention.hpp"

namespace heapcheck::analyze {
namespace {

constexpr std::uint32_t none = Dominators::none;

/// The nodes that a search found, numbered in the order in which they were found.
struct Tree {
  std::vector<std::uint32_t> order;   ///< nodes by number
  std::vector<std::uint32_t> parent;  ///< by number: the number of the node from which it was found
};

/// The sources of the edges to each node, as far as semidominators depend on them. A source with a smaller
/// number is itself a candidate for the semidominator, so only the smallest one counts. Only sources with
/// larger numbers are listed. `Place` is wide enough for the number of edges.
template <class Place>
struct Sources {
  std::vector<std::uint32_t> smallest;  ///< by number: the smallest number of a source
  std::vector<Place> end;               ///< by number: the end of its sources in `later`
  NumberBlocks later;                   ///< the numbers of the sources with larger numbers
};

/// A depth-first search without recursion.
template <class Place>
class DepthFirst {
 public:
  DepthFirst(const Graph& graph, const graph::EdgeSet& edges)
      : graph_(graph), edges_(edges), number_(graph.node_count(), none) {
    tree_.order.reserve(graph.node_count());
    tree_.parent.reserve(graph.node_count());
    sources_.smallest.reserve(graph.node_count());
    sources_.end.reserve(graph.node_count());
  }

  /// Searches from the root and, if it holds what is not reached, from the remaining nodes without sources,
  /// as if it had edges to them.
  void run(Unreached unreached) {
    search(0);
    if (unreached == Unreached::left_out || tree_.order.size() == number_.size()) return;
    const graph::NodeSet inner = find_inner_unreached();
    for (std::uint32_t node = 1; node < graph_.node_count(); ++node) {
      if (!has_found(node) && !inner.has(node)) search(node);
    }
  }

  /// Lists the sources. The search has counted them, and the counts determine their places.
  Sources<Place> take_sources() {
    Place total = 0;
    for (Place& end : sources_.end) end = std::exchange(total, total + end);
    sources_.later = NumberBlocks(static_cast<std::size_t>(total));
    // Each place is now the beginning of the node's sources, and is moved to their end.
    for (std::uint32_t i = 0; i < tree_.order.size(); ++i) {
      for_each_target(tree_.order[i], [&](std::uint32_t target) {
        const std::uint32_t number = number_[target];
        if (number < i) sources_.later[static_cast<std::size_t>(sources_.end[number]++)] = i;
      });
    }
    return std::move(sources_);
  }

  Tree take_tree() { return std::move(tree_); }

 private:
  const Graph& graph_;
  const graph::EdgeSet& edges_;
  std::vector<std::uint32_t> number_;  ///< by node; `none` if it was not found
  Tree tree_;
  Sources<Place> sources_;
  std::vector<std::uint64_t> next_edge_;  ///< of the nodes on the path to the current node

  [[nodiscard]] bool has_found(std::uint32_t node) const { return number_[node] != none; }

  template <class Use>
  void for_each_target(std::uint32_t node, Use use) const {
    const std::uint64_t end = graph_.first_edge[std::size_t{node} + 1];
    for (std::uint64_t edge = graph_.first_edge[node]; edge < end; ++edge) {
      if (edges_.has(edge)) use(graph_.edge_target[static_cast<std::size_t>(edge)]);
    }
  }

  /// Among the nodes that were not found, those with sources. The sources were not found, either.
  [[nodiscard]] graph::NodeSet find_inner_unreached() const {
    graph::NodeSet inner(graph_.node_count());
    for (std::uint32_t node = 1; node < graph_.node_count(); ++node) {
      if (!has_found(node)) for_each_target(node, [&](std::uint32_t target) { inner.add(target); });
    }
    return inner;
  }

  /// Finds everything that can be reached from `node`, which becomes a child of the first node found.
  void search(std::uint32_t node) {
    const std::uint32_t start = enter(node, 0);
    for (std::uint32_t here = start;;) {
      const std::uint32_t target = find_next(here);
      if (target != none) {
        here = enter(target, here);
      } else {
        next_edge_.pop_back();
        if (here == start) return;
        here = tree_.parent[here];
      }
    }
  }

  std::uint32_t enter(std::uint32_t node, std::uint32_t parent) {
    const auto number = static_cast<std::uint32_t>(tree_.order.size());
    number_[node] = number;
    tree_.order.push_back(node);
    tree_.parent.push_back(parent);
    sources_.smallest.push_back(parent);
    sources_.end.push_back(0);
    next_edge_.push_back(graph_.first_edge[node]);
    return number;
  }

  /// The next node that has not been found yet among the targets of the edges of the node with the number
  /// `here`. Notes the sources of those that have been found.
  std::uint32_t find_next(std::uint32_t here) {
    const std::uint64_t end = graph_.first_edge[std::size_t{tree_.order[here]} + 1];
    std::uint64_t edge = next_edge_.back();
    std::uint32_t found = none;
    for (; edge != end && found == none; ++edge) {
      if (!edges_.has(edge)) continue;
      const std::uint32_t target = graph_.edge_target[static_cast<std::size_t>(edge)];
      const std::uint32_t number = number_[target];
      if (number == none)
        found = target;
      else if (number < here)
        ++sources_.end[number];
      else
        sources_.smallest[number] = std::min(sources_.smallest[number], here);
    }
    next_edge_.back() = edge;
    return found;
  }
};

/// Finds the smallest semidominator on paths in the tree, for nodes that have been processed, that is, for
/// nodes after `last`.
class Paths {
 public:
  /// `least` has the candidates for the semidominators of the nodes that have not been processed.
  Paths(const std::vector<std::uint32_t>& parent, std::vector<std::uint32_t> least)
      : ancestor_(parent), least_(std::move(least)) {}

  [[nodiscard]] std::uint32_t candidate(std::uint32_t number) const { return least_[number]; }
  void set(std::uint32_t number, std::uint32_t semidominator) { least_[number] = semidominator; }

  /// The smallest value on the path from `number`, which is after `last`, up to, but not including, the first
  /// node that is not after `last`. Shortens the path. On the way up, each ancestor on the path is replaced
  /// with the node below it, so that no stack is needed on the way back.
  std::uint32_t find_least(std::uint32_t number, std::uint32_t last) {
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

/// The semidominators of all nodes except the root, by number. The semidominator of a node is the first node
/// from which there is a path to that node on which all nodes in between come after it.
template <class Place>
std::vector<Place> find_semidominators(const Tree& tree, Sources<Place> sources) {
  Paths paths(tree.parent, std::move(sources.smallest));
  for (auto i = static_cast<std::uint32_t>(tree.order.size()); i-- > 1;) {
    std::uint32_t least = paths.candidate(i);
    for (Place place = sources.end[i - std::size_t{1}]; place != sources.end[i]; ++place)
      least = std::min(least, paths.find_least(sources.later[static_cast<std::size_t>(place)], i));
    paths.set(i, least);
    sources.end[i] = least;  // the end of sources that are no longer needed
  }
  return std::move(sources.end);
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
template <class Place>
void find_far_numbers(std::vector<std::uint32_t>& dominator, const std::vector<Place>& semidominator,
                      std::uint32_t first) {
  Ancestors ancestors(dominator, first);
  for (std::uint32_t i = first; i < dominator.size(); ++i) {
    dominator[i] = ancestors.find_not_after(dominator[i], static_cast<std::uint32_t>(semidominator[i]));
    ancestors.add(i);
  }
}

/// The immediate dominators by number: for each node, the nearest ancestor that is not after its
/// semidominator. In real graphs, the way there is short. In other graphs, it may be long, so the steps are
/// counted.
template <class Place>
std::vector<std::uint32_t> find_numbers(Tree& tree, const std::vector<Place>& semidominator) {
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
void add_unreached(Dominators& out) {
  for (std::uint32_t node = 1; node < out.dominator.size(); ++node) {
    if (out.dominator[node] != none) continue;
    out.dominator[node] = 0;
    out.order.push_back(node);
  }
}

template <class Place>
Dominators find_with_places(const Graph& graph, const graph::EdgeSet& edges, Unreached unreached) {
  Tree tree;
  Sources<Place> sources;
  {
    DepthFirst<Place> search(graph, edges);
    search.run(unreached);
    core::check_stop();
    sources = search.take_sources();
    tree = search.take_tree();
  }
  core::return_freed_memory();
  core::check_stop();
  const std::vector<Place> semidominator = find_semidominators(tree, std::move(sources));
  core::check_stop();
  const std::vector<std::uint32_t> numbers = find_numbers(tree, semidominator);
  Dominators out;
  out.dominator.assign(graph.node_count(), none);
  for (std::uint32_t i = 1; i < numbers.size(); ++i) out.dominator[tree.order[i]] = tree.order[numbers[i]];
  out.order = std::move(tree.order);
  if (unreached == Unreached::held_by_root) add_unreached(out);
  return out;
}

}  // namespace

Dominators find_dominators(const Graph& graph, const graph::EdgeSet& edges, Unreached unreached) {
  if (graph.node_count() == 0) return {};
  if (graph.edge_count() > UINT32_MAX) return find_with_places<std::uint64_t>(graph, edges, unreached);
  return find_with_places<std::uint32_t>(graph, edges, unreached);
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

std::vector<std::uint64_t> find_retained_sizes(const Dominators& dominators, const GraphColumn& sizes) {
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
  core::check_stop();
  Dominators dominators = find_dominators(graph, edges, unreached);
  core::check_stop();
  core::return_freed_memory();
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
  core::check_stop();
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

}  // namespace heapcheck::analyze
