#include "analyze/leaks.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "analyze/fingerprint.hpp"
#include "analyze/group_sizes.hpp"
#include "analyze/paths.hpp"
#include "analyze/program_parts.hpp"
#include "analyze/suspects.hpp"
#include "formats/core/keyed_hash.hpp"
#include "formats/core/stop.hpp"

namespace heapcheck::analyze {
namespace {

using graph::NodeSet;
using graph::ShortestPaths;

/// The nodes of a population that leak, rather than being inside others that do.
class LeakingNodes {
 public:
  LeakingNodes(const Graph& graph, const ShortestPaths& paths, const Population& population)
      : graph_(graph),
        paths_(paths),
        population_(population.nodes),
        has_all_new_(population.has_all_new),
        on_path_(graph.node_count()),
        leading_(graph.node_count()),
        inside_(graph.node_count()),
        chosen_(graph.node_count()) {
    list_nodes();
    choose([this](std::uint32_t node) { return !is_internal(graph_, node); });
    for (const std::uint32_t node : leaks_) mark_way(node);
    const std::size_t first_count = leaks_.size();
    // What V8 allocates for other objects, such as the table of a Map, is a leak only if it leads to none.
    choose([this](std::uint32_t node) { return is_internal(graph_, node) && !leading_.has(node); });
    for (const std::uint32_t node : leaks_) mark_way(node);
    // Not std::inplace_merge, because clang warns that gcc 12's version calls a deprecated function.
    const auto place = [this](std::uint32_t node) { return std::pair(paths_.distance[node], node); };
    std::vector<std::uint32_t> merged(leaks_.size());
    std::ranges::merge(std::span(leaks_).first(first_count), std::span(leaks_).subspan(first_count),
                       merged.begin(), {}, place, place);
    leaks_ = std::move(merged);
  }

  /// The nodes on all paths to the population, each after the one before it on its path.
  [[nodiscard]] const std::vector<std::uint32_t>& path_nodes() const { return path_nodes_; }
  /// The nodes of the population that leak, nearest to the root first.
  [[nodiscard]] const std::vector<std::uint32_t>& leaks() const { return leaks_; }
  /// Whether a path leads through the node to one that leaks.
  [[nodiscard]] bool leads_to_leak(std::uint32_t node) const { return leading_.has(node); }
  /// The nodes that existed before, and to which paths lead through the population.
  [[nodiscard]] std::vector<std::uint32_t> list_reentered() const {
    std::vector<std::uint32_t> nodes;
    if (!has_all_new_) return nodes;
    for (const std::uint32_t node : path_nodes_) {
      const std::uint32_t before = paths_.parent[node];
      if (before != ShortestPaths::unreached && population_.has(before) && !population_.has(node))
        nodes.push_back(node);
    }
    return nodes;
  }

 private:
  /// Lists the nodes by distance and then by number. They are counted by distance instead of being compared.
  void list_nodes() {
    std::vector<std::size_t> first;  // by distance
    for (std::uint32_t node = 0; node < graph_.node_count(); ++node) {
      if (!population_.has(node) || paths_.distance[node] == ShortestPaths::unreached) continue;
      for (std::uint32_t at = node; at != ShortestPaths::unreached && on_path_.add(at);
           at = paths_.parent[at]) {
        if (paths_.distance[at] >= first.size()) first.resize(std::size_t{paths_.distance[at]} + 1);
        ++first[paths_.distance[at]];
      }
    }
    std::size_t end = 0;
    for (std::size_t& place : first) place = std::exchange(end, end + place);
    path_nodes_.resize(end);
    for (std::uint32_t node = 0; node < graph_.node_count(); ++node) {
      if (on_path_.has(node)) path_nodes_[first[paths_.distance[node]]++] = node;
    }
  }

  template <class IsLeak>
  void choose(IsLeak is_leak) {
    for (const std::uint32_t node : path_nodes_) {
      // A node that existed before does not count as inside a new node, even if a path from the new node
      // leads to it.
      if (!population_.has(node)) continue;
      const std::uint32_t before = paths_.parent[node];
      const bool is_inside = before != ShortestPaths::unreached && inside_.has(before);
      if (is_inside) inside_.add(node);
      if (is_inside ? !is_next_in_list(before, node) : inside_.has(node) || !is_leak(node)) continue;
      if (chosen_.add(node)) leaks_.push_back(node);
      inside_.add(node);
    }
  }

  /// Whether a node is the next one in a list of nodes of one type, in which each refers to the next.
  [[nodiscard]] bool is_next_in_list(std::uint32_t before, std::uint32_t node) const {
    if (!chosen_.has(before)) return false;
    const Node leak = graph_.node(node);
    const Node last = graph_.node(before);
    if (&leak.kind() != &last.kind() || leak.name() != last.name()) return false;
    const Edge edge(graph_, paths_.parent_edge[node]);
    if (!ProgramParts::is_property(edge)) return false;
    if (leak.place() != nullptr) return true;
    // All objects without a class have the same type, whatever their purpose.
    return paths_.parent[before] != ShortestPaths::unreached &&
           Edge(graph_, paths_.parent_edge[before]).name() == edge.name();
  }

  void mark_way(std::uint32_t node) {
    for (std::uint32_t at = paths_.parent[node]; at != ShortestPaths::unreached && leading_.add(at);
         at = paths_.parent[at]) {
    }
  }

  const Graph& graph_;
  const ShortestPaths& paths_;
  const NodeSet& population_;
  bool has_all_new_;
  NodeSet on_path_;
  NodeSet leading_;
  NodeSet inside_;  ///< the nodes that leak, and those to which paths lead through them
  NodeSet chosen_;  ///< the nodes that leak
  std::vector<std::uint32_t> path_nodes_;
  std::vector<std::uint32_t> leaks_;
};

TraceEdge edge_to(const ShortestPaths& paths, std::uint32_t node) {
  const std::uint32_t source = paths.parent[node];
  const std::uint32_t before = paths.parent[source];
  return {.edge = paths.parent_edge[node],
          .source = source,
          .before = before == ShortestPaths::unreached ? std::nullopt : std::optional(before),
          .depth = paths.distance[source]};
}

/// Finds which leaking nodes are entries of dictionaries. If a node refers through properties to at least
/// eight nodes with the same kind and name, the names of these properties are keys.
NodeSet find_entries(const Graph& graph, const ShortestPaths& paths, std::span<const std::uint32_t> leaks) {
  constexpr std::size_t least_entries = 8;
  using Row = std::tuple<std::uint32_t, std::uint8_t, std::size_t, std::uint32_t>;
  std::unordered_map<std::uint32_t, std::size_t, core::KeyedHash> hashes;  // of texts, which may be long
  std::vector<Row> rows;
  for (const std::uint32_t node : leaks) {
    if (node == 0 || !ProgramParts::is_property(Edge(graph, paths.parent_edge[node]))) continue;
    const bool has_contents = graph.node(node).kind().group == NodeGroup::string;
    const std::uint32_t text = graph.node_name[node];
    const auto [hash, is_new] = hashes.try_emplace(has_contents ? Graph::no_text : text, 0);
    if (is_new && !has_contents) hash->second = core::KeyedHash{}(graph.texts[text]);
    rows.emplace_back(paths.parent[node], graph.node_kind[node], hash->second, node);
  }
  std::ranges::sort(rows);
  NodeSet entries(graph.node_count());
  const auto group_of = [](const Row& row) {
    return std::tuple(std::get<0>(row), std::get<1>(row), std::get<2>(row));
  };
  for (std::size_t first = 0, end = 0; first < rows.size(); first = end) {
    while (end < rows.size() && group_of(rows[end]) == group_of(rows[first])) ++end;
    if (end - first < least_entries) continue;
    for (std::size_t i = first; i < end; ++i) entries.add(std::get<3>(rows[i]));
  }
  return entries;
}

/// Groups leaking nodes by the steps of the program that lead to them.
class Grouping {
 public:
  Grouping(const Graph& graph, const Retention& retention, const DominatedNodes& dominated,
           const ShortestPaths& paths, const LeakingNodes& leaking)
      : graph_(graph),
        dominated_(dominated),
        paths_(paths),
        leaking_(leaking),
        parts_(graph),
        contexts_(make_contexts()),
        steps_(graph, parts_, retention.dominators, contexts_) {}

  std::vector<Suspect> run() {
    follow_paths();
    const NodeSet entries = find_entries(graph_, paths_, leaking_.leaks());
    std::unordered_map<std::uint32_t, std::size_t, core::KeyedHash> groups;  // by steps
    std::vector<Suspect> found;
    std::unordered_map<std::uint32_t, std::uint32_t, core::KeyedHash> ends;  // by node, of lists
    for (const std::uint32_t node : leaking_.leaks()) {
      // The nodes of a list are in the group of the first one.
      const auto before = ends.find(paths_.parent[node]);
      const std::uint32_t steps = before == ends.end() ? find_end(node, entries.has(node)) : before->second;
      if (leaking_.leads_to_leak(node)) ends.emplace(node, steps);
      const auto [group, is_new] = groups.try_emplace(steps, found.size());
      if (is_new)
        found.push_back({.type = std::string(find_group_name(graph_.node(node))),
                         .fingerprint = hash_text(steps_.text_of(steps))});
      Suspect& leak = found[group->second];
      if (is_internal(graph_, node) && find_group_name(graph_.node(node)) != leak.type)
        leak.type = internal_type;
      leak.nodes.push_back(node);
    }
    return found;
  }

 private:
  TraceContexts make_contexts() const {
    TraceContexts contexts(graph_);
    for (const std::uint32_t node : leaking_.path_nodes()) {
      const std::uint32_t before = paths_.parent[node];
      if (leaking_.leads_to_leak(node))
        contexts.add_step(before == ShortestPaths::unreached ? std::nullopt : std::optional(before), node);
    }
    for (const std::uint32_t node : leaking_.leaks()) contexts.add_leak(node);
    return contexts;
  }

  void follow_paths() {
    steps_of_.assign(graph_.node_count(), TraceSteps::none);
    for (const std::uint32_t node : leaking_.path_nodes()) {
      if (node == 0 || !leaking_.leads_to_leak(node)) continue;
      const TraceEdge edge = edge_to(paths_, node);
      steps_of_[node] = steps_.follow(steps_of_[edge.source], edge).steps;
    }
  }

  std::uint32_t find_end(std::uint32_t node, bool is_entry) {
    if (node == 0) return steps_.end({}, node, std::nullopt);
    const TraceEdge edge = edge_to(paths_, node);
    const std::uint32_t before = steps_of_[edge.source];
    const TraceSteps::Followed followed =
        is_entry ? TraceSteps::Followed{.steps = before} : steps_.follow(before, edge);
    const auto inner =
        followed.steps == TraceSteps::none ? parts_.find_inner(node, dominated_) : std::nullopt;
    return steps_.end(followed, node, inner);
  }

  const Graph& graph_;
  const DominatedNodes& dominated_;
  const ShortestPaths& paths_;
  const LeakingNodes& leaking_;
  ProgramParts parts_;
  TraceContexts contexts_;
  TraceSteps steps_;
  std::vector<std::uint32_t> steps_of_;  ///< by node
};

/// Sets what the nodes of each leak retain together, given these sizes of nodes. What existed before the
/// population is not freed with it, even if paths lead there through the population, because something else
/// held it then.
void add_retained(const Graph& graph, const Retention& retention, const GraphColumn& sizes,
                  std::span<const std::uint32_t> reentered, std::vector<Suspect>& leaks) {
  NodeGroups groups{.nodes = {}, .held = reentered};
  for (const Suspect& leak : leaks) groups.nodes.emplace_back(leak.nodes);
  const bool holds_all = graph.rules == RetentionRules::devtools || has_collector_roots(graph);
  const auto retained = find_group_sizes(graph, retention.edges, groups, sizes,
                                         holds_all ? Unreached::held_by_root : Unreached::left_out);
  for (std::size_t i = 0; i < leaks.size(); ++i) leaks[i].retained = retained[i];
}

/// Chooses the node that retains the most as the example of each leak, and finds what leaks contain. Lists
/// contain their own nodes, which is not informative.
void add_contents(const Graph& graph, const RetainedTree& tree, std::vector<Suspect>& leaks) {
  for (Suspect& leak : leaks) {
    const auto largest =
        std::ranges::max_element(leak.nodes, {}, [&](std::uint32_t node) { return tree.sizes[node]; });
    std::iter_swap(leak.nodes.begin(), largest);
    leak.contents = find_contents(graph, tree, leak.nodes, SuspectOptions().least_drop);
    if (!leak.contents.empty() && leak.contents[0] == leak.type) leak.contents.clear();
  }
}

}  // namespace

void add_fingerprints(const Graph& graph, const Dominators& dominators, const DominatedNodes& dominated,
                      std::vector<Suspect>& suspects) {
  core::check_stop();
  TraceContexts contexts(graph);
  for (const Suspect& suspect : suspects) {
    std::optional<std::uint32_t> before;
    for (const PathStep& step : suspect.path) {
      contexts.add_step(before, step.node);
      before = step.node;
    }
    contexts.add_leak(suspect.nodes[0]);
  }
  const ProgramParts parts(graph);
  TraceSteps steps(graph, parts, dominators, contexts);
  for (Suspect& suspect : suspects) {
    TraceSteps::Followed followed;
    for (std::size_t i = 1; i < suspect.path.size(); ++i) {
      const auto before = i > 1 ? std::optional(suspect.path[i - 2].node) : std::nullopt;
      followed = steps.follow(followed.steps, {.edge = *suspect.path[i].edge,
                                               .source = suspect.path[i - 1].node,
                                               .before = before,
                                               .depth = static_cast<std::uint32_t>(i - 1)});
    }
    const std::uint32_t node = suspect.nodes[0];
    // The path to several nodes ends at what holds them.
    if (suspect.nodes.size() > 1) followed.is_named = false;
    const auto inner = followed.steps == TraceSteps::none ? parts.find_inner(node, dominated) : std::nullopt;
    suspect.fingerprint = hash_text(steps.text_of(steps.end(followed, node, inner)));
  }
}

std::vector<Suspect> find_leaks(const Graph& graph, const Retention& retention,
                                const DominatedNodes& dominated, const Population& population,
                                const graph::AvoidedNodes& avoided, const LeakSizes& sizes) {
  const ShortestPaths paths = graph::find_program_paths(graph, retention.edges, avoided, population.nodes);
  core::check_stop();
  const LeakingNodes leaking(graph, paths, population);
  core::check_stop();
  std::vector<Suspect> leaks = Grouping(graph, retention, dominated, paths, leaking).run();
  core::check_stop();
  if (leaks.empty()) return leaks;
  add_retained(graph, retention, sizes.of_nodes, leaking.list_reentered(), leaks);
  const double all = static_cast<double>(std::max<std::uint64_t>(sizes.all, 1));
  for (Suspect& leak : leaks) leak.share = static_cast<double>(leak.retained) / all;
  std::erase_if(leaks, [&](const Suspect& leak) { return leak.share < sizes.least_share; });
  core::check_stop();
  add_contents(graph, {sizes.retained, dominated}, leaks);
  for (Suspect& leak : leaks) leak.path = trace(paths, leak.nodes[0]);
  std::ranges::sort(leaks, [](const Suspect& a, const Suspect& b) {
    return a.retained != b.retained ? a.retained > b.retained : a.nodes[0] < b.nodes[0];
  });
  return leaks;
}

}  // namespace heapcheck::analyze
