#include "heapcheck/heap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <ranges>
#include <utility>

#include "analyze/dominator_tree.hpp"
#include "analyze/dominators.hpp"
#include "analyze/duplicates.hpp"
#include "analyze/growth.hpp"
#include "analyze/paths.hpp"
#include "analyze/preorder.hpp"
#include "analyze/query.hpp"
#include "analyze/retained_sizes.hpp"
#include "analyze/suspects.hpp"
#include "analyze/totals.hpp"
#include "formats/core/checked.hpp"
#include "graph/breadth_first.hpp"
#include "graph/reach.hpp"
#include "graph/retention.hpp"

namespace heapcheck {

struct Heap::State {
  Graph graph;
  std::optional<graph::ShortestPaths> found_paths = {};
  std::optional<graph::ShortestPaths> program_paths = {};
  std::optional<analyze::Retention> found_retention = {};
  std::optional<analyze::Preorder> found_preorder = {};
  std::optional<analyze::DominatedNodes> found_dominated = {};

  const analyze::Retention& retention() {
    if (!found_retention) found_retention = analyze::find_retention(graph);
    return *found_retention;
  }
  const graph::ShortestPaths& paths() {
    if (!found_paths) found_paths = graph::find_shortest_paths(graph, graph::WeakEdges::left_out);
    return *found_paths;
  }
  const analyze::Preorder& preorder() {
    if (!found_preorder) found_preorder = analyze::find_preorder(retention().dominators);
    return *found_preorder;
  }
  const analyze::DominatedNodes& dominated() {
    if (!found_dominated) found_dominated.emplace(retention().dominators);
    return *found_dominated;
  }
  const graph::ShortestPaths& find_program_paths() {
    if (!program_paths) program_paths = graph::find_program_paths(graph);
    return *program_paths;
  }
  analyze::Moment moment() { return {graph, retention()}; }
  analyze::RetainedTree retained() { return {retention().retained, dominated()}; }
};

namespace {

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// What the paths to some of the nodes have in common.
std::vector<PathStep> find_common_path(const graph::ShortestPaths& paths,
                                       const std::vector<std::uint32_t>& nodes) {
  constexpr std::size_t most_paths = 100;
  const std::size_t step = nodes.size() / most_paths + 1;
  std::vector<PathStep> common = analyze::trace(paths, nodes[0]);
  for (std::size_t i = step; i < nodes.size(); i += step) {
    const std::vector<PathStep> path = analyze::trace(paths, nodes[i]);
    common.erase(std::ranges::mismatch(common, path).in1, common.end());
  }
  return common;
}

void add_paths(const graph::ShortestPaths& paths, std::vector<Suspect>& suspects) {
  for (Suspect& suspect : suspects)
    suspect.path =
        suspect.holder ? analyze::trace(paths, *suspect.holder) : find_common_path(paths, suspect.nodes);
}

}  // namespace

Heap::Heap(Graph graph) : state_(std::make_shared<State>(std::move(graph))) {}

const Graph& Heap::graph() const { return state_->graph; }

void Heap::prepare() const {
  state_->preorder();
  state_->paths();
}

std::vector<NodeTotals> Heap::kinds() const { return analyze::count_kinds(graph()); }

NodeTotals Heap::total() const {
  NodeTotals total{.name = {}, .count = graph().node_count()};
  for (const std::uint64_t size : graph().node_size) total.size = core::saturating_add(total.size, size);
  if (total.count != 0) total.retained = retained_sizes().front();
  return total;
}

std::vector<NodeTotals> Heap::top(TopOf of, TopBy by) const {
  return analyze::count_top(graph(), of, by, {state_->retention().retained, state_->preorder()});
}

Result<std::vector<std::uint32_t>> Heap::find(std::string_view query) const {
  const auto parsed = analyze::parse_query(query);
  if (!parsed) return std::unexpected(parsed.error());
  const bool has_group = !parsed->group || std::ranges::find(graph().node_kinds, *parsed->group,
                                                             &GraphKind::group) != graph().node_kinds.end();
  if (!has_group)
    return std::unexpected(
        Error{ErrorKind::unsupported, fmt::format("has no {}: found no such kind of nodes in the snapshot",
                                                  query.substr(0, query.find_first_of(" \t")))});
  const bool needs_retained =
      parsed->order == analyze::Field::retained || std::ranges::any_of(parsed->conditions, [](const auto& c) {
        return c.field == analyze::Field::retained;
      });
  return analyze::find_nodes(graph(), *parsed,
                             needs_retained ? retained_sizes() : std::span<const std::uint64_t>());
}

Result<void> Heap::check_query(std::string_view query) {
  const auto parsed = analyze::parse_query(query);
  if (!parsed) return std::unexpected(parsed.error());
  return {};
}

Result<std::uint32_t> Heap::find_node(std::string_view id) const {
  const auto fail = [id](std::string_view why) {
    return std::unexpected(Error{ErrorKind::unsupported, fmt::format("no node {}: {}", id, why)});
  };
  if (id.starts_with("row:")) {
    const auto row = parse_number(id.substr(4));
    if (!row || *row >= graph().node_count())
      return fail(fmt::format("expected a row below {}", graph().node_count()));
    return static_cast<std::uint32_t>(*row);
  }
  const auto number = parse_number(id.starts_with('@') ? id.substr(1) : id);
  if (!number) return fail("expected an id such as 123 or @123, or row:N");
  const auto found = std::ranges::find(graph().node_id, *number);
  if (found == graph().node_id.end()) return fail("no node of the snapshot has this id");
  return static_cast<std::uint32_t>(found - graph().node_id.begin());
}

std::span<const std::uint64_t> Heap::retained_sizes() const { return state_->retention().retained; }

std::optional<std::uint32_t> Heap::dominator_of(std::uint32_t node) const {
  const std::uint32_t dominator = state_->retention().dominators.dominator[node];
  if (dominator == analyze::Dominators::none) return std::nullopt;
  return dominator;
}

std::span<const std::uint32_t> Heap::dominated_by(std::uint32_t node) const {
  return state_->dominated().of(node);
}

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

std::vector<PathStep> Heap::path_to(std::uint32_t node) const {
  return analyze::trace(state_->paths(), node);
}

std::vector<std::vector<PathStep>> Heap::paths_to(std::uint32_t node, std::size_t most) const {
  return analyze::find_paths(graph(), node, most);
}

std::vector<MergedPathRow> Heap::merge_paths(std::span<const std::uint32_t> nodes,
                                             std::uint64_t limit) const {
  return analyze::merge_paths(graph(), state_->paths(), nodes, limit);
}

Result<std::vector<DuplicateStrings>> Heap::duplicates() const {
  if (std::ranges::find(graph().node_kinds, NodeGroup::string, &GraphKind::group) == graph().node_kinds.end())
    return std::unexpected(
        Error{ErrorKind::unsupported, "this format does not contain the contents of strings"});
  return analyze::find_duplicates(graph());
}

std::vector<DominatorRow> Heap::dominator_tree(std::uint32_t node, bool by_type, std::uint64_t limit) const {
  return analyze::find_largest_branches(graph(), state_->dominated(), retained_sizes(), node,
                                        by_type ? analyze::Branches::types : analyze::Branches::nodes, limit);
}

std::vector<DominatorRow> Heap::outline(std::uint64_t limit) const {
  return analyze::find_largest_branches(graph(), state_->dominated(), retained_sizes(), 0,
                                        analyze::Branches::outline, limit);
}

std::vector<Suspect> Heap::suspects(const SuspectOptions& options) const {
  std::vector<Suspect> found = analyze::find_suspects(graph(), state_->retained(), options);
  add_paths(state_->find_program_paths(), found);
  return found;
}

Growth Heap::growth_since(const Heap& first, std::span<const Heap> between,
                          const SuspectOptions& options) const {
  std::vector<const Graph*> graphs;
  for (const Heap& heap : between) graphs.push_back(&heap.graph());
  const bool has_ids = analyze::share_ids(first.graph(), graph());
  const analyze::Moment last = state_->moment();
  const auto sizes = has_ids ? analyze::find_new_sizes(first.graph(), graphs, last)
                             : analyze::estimate_new_sizes(first.state_->moment(), last);
  const auto retained = analyze::find_retained_sizes(last.retention.dominators, sizes);
  Growth growth{has_ids ? GrowthBy::id : GrowthBy::type, retained.empty() ? 0 : retained[0],
                analyze::find_suspects(graph(), {retained, state_->dominated()}, options)};
  add_paths(state_->find_program_paths(), growth.suspects);
  return growth;
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

}  // namespace heapcheck
