#include "analyze/group_sizes.hpp"

#include <cstddef>
#include <utility>

#include "formats/core/checked.hpp"
#include "graph/reach.hpp"

namespace heapcheck::analyze {
namespace {

/// Calls `use` with each target of the edges of a node.
template <class Use>
void for_each_target(const Graph& graph, const graph::EdgeSet& edges, std::uint32_t node, Use use) {
  const std::uint64_t end = graph.first_edge[std::size_t{node} + 1];
  for (std::uint64_t edge = graph.first_edge[node]; edge < end; ++edge) {
    if (edges.has(edge)) use(graph.edge_target[static_cast<std::size_t>(edge)]);
  }
}

/// The targets outside all groups. Notes which groups the other targets belong to.
struct TargetsOutside {
  const Graph& graph;
  const graph::EdgeSet& edges;
  const std::vector<std::uint32_t>& region;
  graph::NodeSet& entered;

  [[nodiscard]] std::uint64_t node_count() const { return graph.node_count(); }
  template <class Use>
  void follow_next(std::uint64_t node, Use&& use) {
    for_each_target(graph, edges, static_cast<std::uint32_t>(node), [&](std::uint32_t target) {
      if (region[target] < entered.size())
        entered.add(region[target]);
      else
        use(target);
    });
  }
  template <class Use>
  void follow_earlier(std::uint64_t node, Use&& use) {
    follow_next(node, use);
  }
};

/// Divides a graph into regions: what can be reached without the groups, what can only be reached through the
/// nodes of one group, and single nodes to which several groups lead. Every path into a region leads through
/// the root, the nodes of the group, or the single node, so that regions dominate each other as nodes do.
class Regions {
 public:
  Regions(const Graph& graph, const graph::EdgeSet& edges, const NodeGroups& groups, Unreached unreached)
      : graph_(graph),
        edges_(edges),
        group_count_(static_cast<std::uint32_t>(groups.nodes.size())),
        grouped_(graph.node_count()),
        entered_(std::uint64_t{first_group} + group_count_),
        region_(graph.node_count(), nowhere) {
    for (std::uint32_t i = 0; i < group_count_; ++i) {
      for (const std::uint32_t node : groups.nodes[i]) {
        grouped_.add(node);
        region_[node] = first_group + i;
      }
    }
    mark_outside(groups.held, unreached);
    for (const auto& nodes : groups.nodes) {
      for (const std::uint32_t node : nodes) spread_from(node);
    }
    count_ = first_group + group_count_;
    for (std::uint32_t& region : region_) {
      if (region == shared) region = count_++;
    }
  }

  /// The retained size of each group.
  [[nodiscard]] std::vector<std::uint64_t> find_sizes(const GraphColumn& sizes) const {
    GraphColumn sums;
    sums.resize(count_);
    for (std::uint32_t node = 0; node < region_.size(); ++node) {
      const std::uint32_t region = region_[node];
      if (region != outside && region != nowhere)
        sums.set(region, core::saturating_add(sums[region], sizes[node]));
    }
    // No group is inside another, and so nothing that is shared is inside any.
    if (entered_.count() == group_count_) return groups_of(sums);
    const Graph regions = make_graph();
    graph::EdgeSet all(regions.edge_count());
    for (std::uint64_t edge = 0; edge < regions.edge_count(); ++edge) all.add(edge);
    return groups_of(find_retained_sizes(find_dominators(regions, all, Unreached::left_out), sums));
  }

 private:
  static constexpr std::uint32_t outside = 0;
  static constexpr std::uint32_t first_group = 1;
  static constexpr std::uint32_t nowhere = UINT32_MAX;     ///< of nodes that cannot be reached
  static constexpr std::uint32_t shared = UINT32_MAX - 1;  ///< of nodes to which several groups lead

  const Graph& graph_;
  const graph::EdgeSet& edges_;
  std::uint32_t group_count_;
  graph::NodeSet grouped_;
  graph::NodeSet entered_;             ///< the groups to which edges lead from outside
  std::vector<std::uint32_t> region_;  ///< by node. In the end, each shared node has a region of its own
  std::uint32_t count_ = 0;            ///< the number of regions

  template <class Sizes>
  [[nodiscard]] std::vector<std::uint64_t> groups_of(const Sizes& by_region) const {
    const auto first = by_region.begin() + first_group;
    return {first, first + group_count_};
  }

  void mark_outside(std::span<const std::uint32_t> held, Unreached unreached) {
    graph::NodeSet first(graph_.node_count());
    region_[0] = nowhere;  // the root is never inside
    first.add(0);
    for (const std::uint32_t node : held) first.add(node);
    TargetsOutside targets{.graph = graph_, .edges = edges_, .region = region_, .entered = entered_};
    const graph::NodeSet found = graph::find_reachable(targets, std::move(first));
    for (std::uint32_t node = 0; node < region_.size(); ++node) {
      if (found.has(node)) region_[node] = outside;
    }
    if (unreached == Unreached::left_out) return;
    const graph::NodeSet inner = find_inner();
    for (std::uint32_t node = 0; node < region_.size(); ++node) {
      if (region_[node] != nowhere || inner.has(node)) continue;
      region_[node] = outside;
      spread_from(node);
    }
  }

  /// Among the nodes that cannot be reached from outside, those with sources. The sources cannot, either, or
  /// belong to groups.
  [[nodiscard]] graph::NodeSet find_inner() const {
    graph::NodeSet inner(graph_.node_count());
    for (std::uint32_t node = 0; node < region_.size(); ++node) {
      if (region_[node] != outside)
        for_each_target(graph_, edges_, node, [&](std::uint32_t target) { inner.add(target); });
    }
    return inner;
  }

  void spread_from(std::uint32_t start) {
    std::vector<std::uint32_t> waiting{start};
    while (!waiting.empty()) {
      const std::uint32_t node = waiting.back();
      waiting.pop_back();
      for_each_target(graph_, edges_, node, [&, region = region_[node]](std::uint32_t target) {
        std::uint32_t& known = region_[target];
        if (known == region || known == shared || known == outside) return;
        if (grouped_.has(target)) {
          if (region == outside) entered_.add(known);
          return;
        }
        known = known == nowhere ? region : shared;
        waiting.push_back(target);
      });
    }
  }

  /// Calls `use` with the regions for each edge between two regions; for edges from outside, only once for
  /// each group.
  template <class Use>
  void for_each_edge(Use use) const {
    for (std::uint32_t group = first_group; group < entered_.size(); ++group) {
      if (entered_.has(group)) use(outside, group);
    }
    for (std::uint32_t node = 0; node < region_.size(); ++node) {
      if (region_[node] == nowhere || region_[node] == outside) continue;
      for_each_target(graph_, edges_, node, [&, region = region_[node]](std::uint32_t target) {
        const std::uint32_t other = region_[target];
        if (other != outside && other != region) use(region, other);
      });
    }
  }

  /// The regions as nodes. Only has what dominators need.
  [[nodiscard]] Graph make_graph() const {
    Graph graph;
    graph.node_kind.resize(count_);
    std::vector<std::uint64_t> next(std::size_t{count_} + 1);
    std::uint64_t end = 0;
    for_each_edge([&](std::uint32_t source, std::uint32_t) { ++next[source]; });
    for (std::uint64_t& first : next) first = std::exchange(end, end + first);
    graph.first_edge = GraphColumn(next);
    graph.edge_target.resize(static_cast<std::size_t>(end));
    for_each_edge([&](std::uint32_t source, std::uint32_t target) {
      graph.edge_target[static_cast<std::size_t>(next[source]++)] = target;
    });
    return graph;
  }
};

}  // namespace

std::vector<std::uint64_t> find_group_sizes(const Graph& graph, const graph::EdgeSet& edges,
                                            const NodeGroups& groups, const GraphColumn& sizes,
                                            Unreached unreached) {
  return Regions(graph, edges, groups, unreached).find_sizes(sizes);
}

}  // namespace heapcheck::analyze
