#include "analyze/heap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <ranges>
#include <tuple>
#include <utility>

#include "analyze/dominator_tree.hpp"
#include "analyze/leaks.hpp"
#include "analyze/paths.hpp"
#include "analyze/query.hpp"
#include "analyze/totals.hpp"
#include "analyze/way.hpp"
#include "formats/core/checked.hpp"
#include "formats/core/text/parse_number.hpp"
#include "graph/reach.hpp"
#include "graph/retention.hpp"

namespace heapcheck::analyze {

namespace {

/// Checks that the snapshot can have the facts that a query asks for.
Result<void> check_fields(const Graph& graph, const Query& query) {
  const auto fail = [](std::string_view why) {
    return std::unexpected(Error{ErrorKind::unsupported, std::string(why)});
  };
  if (uses(query, Field::allocated) && graph.samples.empty())
    return fail(
        "does not state when nodes were allocated: found no samples, which only allocation timelines have");
  if (graph.rules == RetentionRules::devtools) return {};
  if (uses(query, Field::detached)) return fail("has no detached nodes: only V8 heap snapshots have them");
  if (uses(query, Field::held_by)) return fail("has no held-by: only V8 heap snapshots have it");
  return {};
}

/// The nodes of a suspect whose paths are compared, evenly distributed.
std::vector<std::uint32_t> take_sample(const std::vector<std::uint32_t>& nodes) {
  constexpr std::size_t most_paths = 100;
  const std::size_t step = nodes.size() / most_paths + 1;
  std::vector<std::uint32_t> sample;
  for (std::size_t i = 0; i < nodes.size(); i += step) sample.push_back(nodes[i]);
  return sample;
}

/// The nodes to which paths are needed.
graph::NodeSet find_ends(const Graph& graph, std::span<const Suspect> suspects) {
  graph::NodeSet ends(graph.node_count());
  for (const Suspect& suspect : suspects) {
    for (const std::uint32_t node : take_sample(suspect.nodes)) ends.add(node);
  }
  return ends;
}

/// Where the path to a node ends: before the first node of the same type after what holds all of them, so
/// that it does not lead into a list of them. None if that is the root.
std::optional<std::uint32_t> find_path_end(const Graph& graph, const graph::ShortestPaths& paths,
                                           const Suspect& suspect, std::uint32_t node) {
  const Node like = graph.node(suspect.nodes[0]);
  std::uint32_t first = node;
  for (std::uint32_t at = node; at != graph::ShortestPaths::unreached && at != suspect.holder;
       at = paths.parent[at]) {
    const Node step = graph.node(at);
    if (&step.kind() == &like.kind() && find_group_name(step) == find_group_name(like)) first = at;
  }
  const std::uint32_t end = paths.parent[first];
  return end == graph::ShortestPaths::unreached ? std::nullopt : std::optional(end);
}

/// The part that at least half of the paths to some of the nodes have in common. The paths come from one
/// tree, so it is enough to count how many of them lead through each of its nodes.
std::vector<PathStep> find_common_path(const Graph& graph, const graph::ShortestPaths& paths,
                                       const Suspect& suspect) {
  if (suspect.nodes.size() == 1) return trace(paths, suspect.nodes[0]);
  std::vector<std::uint32_t> ends;
  for (const std::uint32_t node : take_sample(suspect.nodes)) {
    if (const auto end = find_path_end(graph, paths, suspect, node)) ends.push_back(*end);
  }
  std::vector<std::uint8_t> counts(graph.node_count());  // at most one per node of the sample
  for (const std::uint32_t end : ends) {
    for (std::uint32_t at = end; at != graph::ShortestPaths::unreached; at = paths.parent[at]) ++counts[at];
  }
  const std::size_t least = (ends.size() + 1) / 2;
  std::optional<std::uint32_t> deepest;
  for (const std::uint32_t end : ends) {
    std::uint32_t at = end;
    while (at != graph::ShortestPaths::unreached && counts[at] < least) at = paths.parent[at];
    if (at == graph::ShortestPaths::unreached) continue;
    if (!deepest || paths.distance[at] > paths.distance[*deepest]) deepest = at;
  }
  return deepest ? trace(paths, *deepest) : std::vector<PathStep>();
}

/// Frames and code objects of Rakudo's own library, which paths avoid: they refer to much of what a program
/// holds. Empty for V8's files.
graph::NodeSet find_core_nodes(const Graph& graph) {
  graph::NodeSet nodes(graph.node_count());
  if (graph.rules == RetentionRules::devtools) return nodes;
  for (const NodePlace& at : graph.node_places) {
    const SourcePlace& place = graph.source_places[at.place];
    if (place.file == Graph::no_text) continue;
    const std::string_view file = graph.texts[place.file];
    if (file.starts_with("SETTING::") || file.starts_with("gen/")) nodes.add(at.node);
  }
  return nodes;
}

/// Whether a suspect consists of a few nodes of one type that have nothing else in common: different parts of
/// a program hold them, and none of them is large.
bool is_scattered(const Graph& graph, const Suspect& suspect) {
  constexpr std::size_t least = 100;
  const bool has_holder = suspect.holder && graph.node(*suspect.holder).kind().group != NodeGroup::root;
  if (has_holder && *suspect.holder != 0) return false;
  const bool is_group = suspect.nodes.size() > 1 && suspect.nodes.size() < least && suspect.chain == 0;
  constexpr std::size_t shortest = 3;  // the root, a root below it, and what holds the nodes
  return is_group && graph.rules == RetentionRules::devtools && suspect.way.empty() &&
         !suspect.path.empty() && suspect.path.size() < shortest;
}

/// The nodes of the suspects, and what holds them.
graph::NodeSet find_suspicious(const Graph& graph, std::span<const Suspect> suspects) {
  graph::NodeSet nodes(graph.node_count());
  for (const Suspect& suspect : suspects) {
    for (const std::uint32_t node : suspect.nodes) nodes.add(node);
    if (suspect.holder) nodes.add(*suspect.holder);
  }
  return nodes;
}

}  // namespace

const Retention& Heap::retention() const {
  if (!retention_) retention_ = find_retention(graph_);
  return *retention_;
}

const graph::ShortestPaths& Heap::paths() const {
  if (!paths_) paths_ = graph::find_shortest_paths(graph_, graph::WeakEdges::left_out);
  return *paths_;
}

const Retention& Heap::program_retention() const {
  if (!has_collector_roots(graph_)) return retention();
  if (!program_retention_) program_retention_ = find_program_retention(graph_);
  return *program_retention_;
}

const NodesById& Heap::nodes_by_id() const {
  if (!nodes_by_id_) nodes_by_id_.emplace(graph_);
  return *nodes_by_id_;
}

const Preorder& Heap::preorder() const {
  if (!preorder_) preorder_ = find_preorder(retention().dominators);
  return *preorder_;
}

const DominatedNodes& Heap::dominated() const {
  if (!dominated_) dominated_.emplace(retention().dominators);
  return *dominated_;
}

FoundSuspects Heap::find_suspects(std::span<const std::uint64_t> sizes, graph::NodeSet young,
                                  const SuspectOptions& options) const {
  constexpr double least_counted = 0.01;
  const DominatedNodes below(program_retention().dominators);
  const RetainedTree tree{sizes, below};
  FoundSuspects found{.suspects = analyze::find_suspects(graph(), tree, options)};
  if (options.least_share > least_counted) {
    const auto all = analyze::find_suspects(graph(), tree,
                                            {.least_share = least_counted, .least_drop = options.least_drop},
                                            GroupDetails::left_out);
    found.smaller = static_cast<std::uint64_t>(std::ranges::count_if(
        all, [&](const Suspect& suspect) { return suspect.share < options.least_share; }));
  }
  if (found.suspects.empty()) return found;
  const auto paths = graph::find_program_paths(
      graph(), program_retention().edges,
      {.young = std::move(young), .suspects = find_suspicious(graph(), found.suspects)},
      find_ends(graph(), found.suspects));
  for (Suspect& suspect : found.suspects) suspect.path = find_common_path(graph(), paths, suspect);
  add_ways(graph(), below, found.suspects);
  add_fingerprints(graph(), program_retention().dominators, below, found.suspects);
  std::erase_if(found.suspects, [&](const Suspect& suspect) { return is_scattered(graph(), suspect); });
  std::ranges::sort(found.suspects, [](const Suspect& a, const Suspect& b) {
    return std::tuple(a.owner, b.retained, a.nodes[0]) < std::tuple(b.owner, a.retained, b.nodes[0]);
  });
  return found;
}

void Heap::prepare() const {
  preorder();
  paths();
}

std::vector<NodeTotals> Heap::kinds() const { return count_kinds(graph()); }

NodeTotals Heap::total() const {
  NodeTotals total{.name = {}, .count = graph().node_count()};
  total.size = core::saturating_sum(graph().node_size);
  if (total.count != 0) total.retained = retained_sizes().front();
  return total;
}

std::vector<NodeTotals> Heap::top(TopOf of, TopBy by) const {
  return count_top(graph(), of, by, {retention().retained, preorder()});
}

Result<std::vector<std::uint32_t>> Heap::find(std::string_view query) const {
  const auto parsed = parse_query(query);
  if (!parsed) return std::unexpected(parsed.error());
  const bool has_group = !parsed->group || std::ranges::find(graph().node_kinds, *parsed->group,
                                                             &GraphKind::group) != graph().node_kinds.end();
  if (!has_group)
    return std::unexpected(
        Error{ErrorKind::unsupported, fmt::format("has no {}: found no such kind of nodes in the snapshot",
                                                  query.substr(0, query.find_first_of(" \t")))});
  if (const auto fits = check_fields(graph(), *parsed); !fits) return std::unexpected(fits.error());
  return find_nodes(graph(), *parsed,
                    uses(*parsed, Field::retained) ? retained_sizes() : std::span<const std::uint64_t>());
}

Result<void> Heap::check_query(std::string_view query) {
  const auto parsed = parse_query(query);
  if (!parsed) return std::unexpected(parsed.error());
  return {};
}

Result<std::uint32_t> Heap::find_node(std::string_view id) const {
  const auto fail = [id](std::string_view why) {
    return std::unexpected(Error{ErrorKind::unsupported, fmt::format("no node {}: {}", id, why)});
  };
  if (id.starts_with("row:")) {
    const auto row = core::parse_number(id.substr(4));
    if (!row || *row >= graph().node_count())
      return fail(fmt::format("expected a row below {}", graph().node_count()));
    return static_cast<std::uint32_t>(*row);
  }
  const auto number = core::parse_number(id.starts_with('@') ? id.substr(1) : id);
  if (!number) return fail("expected an id such as 123 or @123, or row:N");
  const auto found = std::ranges::find(graph().node_id, *number);
  if (found == graph().node_id.end()) return fail("no node of the snapshot has this id");
  return static_cast<std::uint32_t>(found - graph().node_id.begin());
}

std::span<const std::uint64_t> Heap::retained_sizes() const { return retention().retained; }

std::optional<std::uint32_t> Heap::dominator_of(std::uint32_t node) const {
  const std::uint32_t dominator = retention().dominators.dominator[node];
  if (dominator == Dominators::none) return std::nullopt;
  return dominator;
}

std::span<const std::uint32_t> Heap::dominated_by(std::uint32_t node) const { return dominated().of(node); }

std::vector<std::uint32_t> Heap::find_unreachable() const {
  const graph::EdgeSet edges = graph::find_retaining_edges(graph());
  const auto targets_of = [&](std::uint64_t node) {
    return graph().node(static_cast<std::uint32_t>(node)).edges() |
           std::views::filter([&](const Edge& edge) { return edges.has(edge.index()); }) |
           std::views::transform([](const Edge& edge) { return std::uint64_t{edge.target()}; });
  };
  graph::EdgesByNode source(graph().node_count(), targets_of);
  const graph::NodeSet reached = graph::find_reachable(source);
  std::vector<std::uint32_t> found;
  for (std::uint32_t node = 0; node < graph().node_count(); ++node) {
    if (!reached.has(node)) found.push_back(node);
  }
  return found;
}

std::vector<PathStep> Heap::path_to(std::uint32_t node) const { return trace(paths(), node); }

std::vector<std::vector<PathStep>> Heap::paths_to(std::uint32_t node, std::size_t most) const {
  return find_paths(graph(), node, most);
}

std::vector<MergedPathRow> Heap::merge_paths(std::span<const std::uint32_t> nodes,
                                             std::uint64_t limit) const {
  return analyze::merge_paths(graph(), paths(), nodes, limit);
}

Result<EqualStrings> Heap::equal_strings() const {
  if (std::ranges::find(graph().node_kinds, NodeGroup::string, &GraphKind::group) == graph().node_kinds.end())
    return std::unexpected(
        Error{ErrorKind::unsupported, "this format does not contain the contents of strings"});
  return EqualStrings(graph());
}

Result<std::vector<DuplicateStrings>> Heap::duplicates() const {
  const auto strings = equal_strings();
  if (!strings) return std::unexpected(strings.error());
  std::vector<DuplicateStrings> rows;
  for (const StringGroup& group : strings->find_duplicates())
    rows.push_back({strings->text_of(group), group.count, group.size, group.wasted()});
  return rows;
}

std::vector<DominatorRow> Heap::dominator_tree(std::uint32_t node, bool by_type, std::uint64_t limit) const {
  return find_largest_branches(graph(), dominated(), retained_sizes(), node,
                               by_type ? Branches::types : Branches::nodes, limit);
}

std::vector<DominatorRow> Heap::outline(std::uint64_t limit) const {
  return find_largest_branches(graph(), dominated(), retained_sizes(), 0, Branches::outline, limit);
}

FoundSuspects Heap::suspects(const SuspectOptions& options) const {
  return find_suspects(suspect_sizes(), find_core_nodes(graph()), options);
}

Growth Heap::growth_since(const Heap& first, const NodesById* between, const SuspectOptions& options) const {
  const NodesById& old = first.nodes_by_id();
  const Relation relation = find_relation(old, nodes_by_id());
  graph::NodeSet young = relation.share_ids ? find_young_nodes(old, nodes_by_id()) : find_core_nodes(graph());
  auto sizes = relation.share_ids ? find_new_sizes(young, between, nodes_by_id(), program_retention().sizes)
                                  : estimate_new_sizes(first.moment(), moment());
  const auto retained = find_retained_sizes(program_retention().dominators, sizes);
  FoundSuspects found = find_suspects(retained, std::move(young), options);
  return {.by = relation.share_ids ? GrowthBy::id : GrowthBy::type,
          .size = retained.empty() ? 0 : retained[0],
          .suspects = std::move(found.suspects),
          .doubt = relation.doubt,
          .smaller = found.smaller,
          .new_sizes = std::move(sizes)};
}

std::vector<Suspect> Heap::find_leaks(const graph::NodeSet& population, const graph::AvoidedNodes& avoided,
                                      std::vector<std::uint64_t> sizes, std::uint64_t size,
                                      const SuspectOptions& options) const {
  const DominatedNodes below(program_retention().dominators);
  auto leaks =
      analyze::find_leaks(graph(), program_retention(), below, population, avoided, std::move(sizes));
  for (Suspect& leak : leaks)
    leak.share = size == 0 ? 0 : static_cast<double>(leak.retained) / static_cast<double>(size);
  std::erase_if(leaks, [&](const Suspect& leak) { return leak.share < options.least_share; });
  // The way to several nodes is that to the node before them on the path.
  std::vector<std::optional<PathStep>> last(leaks.size());
  for (std::size_t i = 0; i < leaks.size(); ++i) {
    if (leaks[i].nodes.size() == 1) continue;
    last[i] = leaks[i].path.back();
    leaks[i].path.pop_back();
  }
  add_ways(graph(), below, leaks);
  for (std::size_t i = 0; i < leaks.size(); ++i) {
    if (last[i]) leaks[i].path.push_back(*last[i]);
  }
  return leaks;
}

FoundLeaks Heap::find_leaks_in(const std::vector<Suspect>& suspects, std::vector<std::uint64_t> sizes,
                               std::uint64_t size, const SuspectOptions& options) const {
  graph::NodeSet population(graph().node_count());
  for (const Suspect& suspect : suspects) {
    for (const std::uint32_t node : suspect.nodes) population.add(node);
  }
  const graph::AvoidedNodes avoided{.young = find_core_nodes(graph()),
                                    .suspects = find_suspicious(graph(), suspects)};
  return {.size = size, .leaks = find_leaks(population, avoided, std::move(sizes), size, options)};
}

FoundLeaks Heap::leaks(const SuspectOptions& options) const {
  const std::uint64_t size = suspect_sizes().empty() ? 0 : suspect_sizes()[0];
  return find_leaks_in(suspects(options).suspects, program_retention().sizes, size, options);
}

FoundLeaks Heap::leaks_since(const Heap& first, const NodesById* between,
                             const SuspectOptions& options) const {
  const Relation relation = find_relation(first.nodes_by_id(), nodes_by_id());
  if (!relation.share_ids) {
    Growth growth = growth_since(first, between, options);
    FoundLeaks found = find_leaks_in(growth.suspects, std::move(growth.new_sizes), growth.size, options);
    found.by = GrowthBy::type;
    found.doubt = growth.doubt;
    return found;
  }
  graph::NodeSet young = find_young_nodes(first.nodes_by_id(), nodes_by_id());
  const auto sizes = find_new_sizes(young, between, nodes_by_id(), program_retention().sizes);
  graph::NodeSet population(graph().node_count());
  for (std::uint32_t node = 0; node < graph().node_count(); ++node) {
    if (sizes[node] != 0) population.add(node);
  }
  const std::uint64_t size = core::saturating_sum(sizes);
  const graph::AvoidedNodes avoided{.young = std::move(young),
                                    .suspects = graph::NodeSet(graph().node_count())};
  return {.by = GrowthBy::id,
          .size = size,
          .leaks = find_leaks(population, avoided, program_retention().sizes, size, options),
          .doubt = relation.doubt};
}

std::vector<std::uint64_t> Heap::edges_to(std::uint32_t node) const {
  std::vector<std::uint64_t> edges;
  for (std::uint64_t i = 0; i < graph().edge_count(); ++i) {
    if (graph().edge_target[i] == node) edges.push_back(i);
  }
  return edges;
}

std::uint32_t Heap::source_of(std::uint64_t edge) const {
  const auto after = std::ranges::upper_bound(graph().first_edge, edge);
  return static_cast<std::uint32_t>(after - graph().first_edge.begin() - 1);
}

}  // namespace heapcheck::analyze
