// The suspects and leaks of a heap, and its growth.
#include "analyze/heap.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <tuple>
#include <utility>

#include "analyze/leaks.hpp"
#include "analyze/paths.hpp"
#include "analyze/way.hpp"
#include "formats/core/checked.hpp"
#include "formats/core/stop.hpp"

namespace heapcheck::analyze {

namespace {

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

/// Where the path to a node ends: before the first node of the same type that comes after the holder of all
/// of them, so that the path does not lead into a list of them. None if that is the root.
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

/// Frames and code objects of Rakudo's own library, which paths avoid, because they refer to much of what a
/// program holds. Empty for V8's files.
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

/// Whether a suspect consists of a few nodes of one type that only roots hold.
bool is_small_group(const Graph& graph, const Suspect& suspect) {
  constexpr std::size_t least = 100;
  const bool has_holder = suspect.holder && graph.node(*suspect.holder).kind().group != NodeGroup::root;
  if (has_holder && *suspect.holder != 0) return false;
  const bool is_group = suspect.nodes.size() > 1 && suspect.nodes.size() < least && suspect.chain == 0;
  return is_group && graph.rules == RetentionRules::devtools;
}

/// Whether the nodes of such a suspect have nothing else in common: different parts of a program hold them,
/// and none of them is large.
bool is_scattered(const Graph& graph, const Suspect& suspect) {
  constexpr std::size_t shortest = 3;  // the root, a root below it, and what holds the nodes
  return is_small_group(graph, suspect) && suspect.way.empty() && !suspect.path.empty() &&
         suspect.path.size() < shortest;
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

FoundSuspects Heap::find_suspects(std::span<const std::uint64_t> sizes, graph::NodeSet young,
                                  const SuspectOptions& options) const {
  constexpr double least_counted = 0.01;
  const DominatedNodes below(program_retention().dominators);
  const RetainedTree tree{sizes, below};
  core::check_stop();
  FoundSuspects found{.suspects = analyze::find_suspects(graph(), tree, options)};
  core::check_stop();
  if (options.least_share > least_counted) {
    const auto all = analyze::find_suspects(graph(), tree,
                                            {.least_share = least_counted, .least_drop = options.least_drop},
                                            GroupDetails::left_out);
    found.smaller = static_cast<std::uint64_t>(std::ranges::count_if(
        all, [&](const Suspect& suspect) { return suspect.share < options.least_share; }));
  }
  core::check_stop();
  if (found.suspects.empty()) return found;
  add_paths({.young = std::move(young), .suspects = find_suspicious(graph(), found.suspects)}, below,
            found.suspects);
  add_fingerprints(graph(), program_retention().dominators, below, found.suspects);
  std::erase_if(found.suspects, [&](const Suspect& suspect) { return is_scattered(graph(), suspect); });
  std::ranges::sort(found.suspects, [](const Suspect& a, const Suspect& b) {
    return std::tuple(a.owner, b.retained, a.nodes[0]) < std::tuple(b.owner, a.retained, b.nodes[0]);
  });
  return found;
}

void Heap::add_paths(const graph::AvoidedNodes& avoided, const DominatedNodes& below,
                     std::vector<Suspect>& suspects) const {
  const auto paths =
      graph::find_program_paths(graph(), program_retention().edges, avoided, find_ends(graph(), suspects));
  core::check_stop();
  for (Suspect& suspect : suspects) suspect.path = find_common_path(graph(), paths, suspect);
  add_ways(graph(), below, suspects);
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

std::vector<Suspect> Heap::find_leaks(const Population& population, const graph::AvoidedNodes& avoided,
                                      const LeakSizes& sizes) const {
  const DominatedNodes below(program_retention().dominators);
  core::check_stop();
  auto leaks = analyze::find_leaks(graph(), program_retention(), below, population, avoided, sizes);
  // The path to several nodes is the path to the node before them.
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

std::vector<Suspect> Heap::find_parts(std::span<const std::uint64_t> sizes,
                                      const SuspectOptions& options) const {
  const DominatedNodes below(program_retention().dominators);
  std::vector<Suspect> parts =
      analyze::find_suspects(graph(), {sizes, below}, options, GroupDetails::left_out);
  std::vector<Suspect> small;
  std::ranges::copy_if(parts, std::back_inserter(small),
                       [&](const Suspect& part) { return is_small_group(graph(), part); });
  if (small.empty()) return parts;
  for (Suspect& part : small) sort_largest_first(sizes, part.nodes);
  add_paths({.young = find_core_nodes(graph()), .suspects = find_suspicious(graph(), parts)}, below, small);
  std::erase_if(small, [&](const Suspect& part) { return is_scattered(graph(), part); });
  std::erase_if(parts, [&](const Suspect& part) { return is_small_group(graph(), part); });
  parts.insert(parts.end(), small.begin(), small.end());
  return parts;
}

FoundLeaks Heap::find_leaks_in(const std::vector<Suspect>& parts, const LeakSizes& sizes) const {
  graph::NodeSet population(graph().node_count());
  for (const Suspect& part : parts) {
    for (const std::uint32_t node : part.nodes) population.add(node);
  }
  const graph::AvoidedNodes avoided{.young = find_core_nodes(graph()),
                                    .suspects = find_suspicious(graph(), parts)};
  return {.size = sizes.all, .leaks = find_leaks({.nodes = population}, avoided, sizes)};
}

FoundLeaks Heap::leaks(const SuspectOptions& options) const {
  const auto retained = suspect_sizes();
  return find_leaks_in(find_parts(retained, options), {.of_nodes = program_retention().sizes,
                                                       .retained = retained,
                                                       .all = retained.empty() ? 0 : retained[0],
                                                       .least_share = options.least_share});
}

FoundLeaks Heap::leaks_since(const Heap& first, const NodesById* between,
                             const SuspectOptions& options) const {
  const Relation relation = find_relation(first.nodes_by_id(), nodes_by_id());
  if (relation.share_ids) {
    FoundLeaks found = find_new_leaks(first, between, options);
    found.doubt = relation.doubt;
    return found;
  }
  const auto sizes = estimate_new_sizes(first.moment(), moment());
  const auto retained = find_retained_sizes(program_retention().dominators, sizes);
  FoundLeaks found = find_leaks_in(find_parts(retained, options), {.of_nodes = sizes,
                                                                   .retained = retained,
                                                                   .all = retained.empty() ? 0 : retained[0],
                                                                   .least_share = options.least_share});
  found.by = GrowthBy::type;
  found.doubt = relation.doubt;
  return found;
}

FoundLeaks Heap::find_new_leaks(const Heap& first, const NodesById* between,
                                const SuspectOptions& options) const {
  graph::NodeSet young = find_young_nodes(first.nodes_by_id(), nodes_by_id());
  const auto sizes = find_new_sizes(young, between, nodes_by_id(), program_retention().sizes);
  const auto retained = find_retained_sizes(program_retention().dominators, sizes);
  graph::NodeSet population(graph().node_count());
  for (std::uint32_t node = 0; node < graph().node_count(); ++node) {
    if (sizes[node] != 0) population.add(node);
  }
  const std::uint64_t size = core::saturating_sum(sizes);
  const graph::AvoidedNodes avoided{.young = std::move(young),
                                    .suspects = graph::NodeSet(graph().node_count())};
  return {.by = GrowthBy::id,
          .size = size,
          .leaks = find_leaks(
              {.nodes = population, .has_all_new = true}, avoided,
              {.of_nodes = sizes, .retained = retained, .all = size, .least_share = options.least_share})};
}

}  // namespace heapcheck::analyze
