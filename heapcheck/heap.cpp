#include "heapcheck/heap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "analyze/query.hpp"
#include "analyze/totals.hpp"
#include "graph/breadth_first.hpp"

namespace heapcheck {

struct Heap::State {
  Graph graph;
  std::optional<graph::ShortestPaths> paths = {};
};

namespace {

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

Heap::Heap(Graph graph) : state_(std::make_shared<State>(std::move(graph))) {}

const Graph& Heap::graph() const { return state_->graph; }
std::vector<NodeTotals> Heap::kinds() const { return analyze::count_kinds(graph()); }
std::vector<NodeTotals> Heap::top(TopOf of, TopBy by) const { return analyze::count_top(graph(), of, by); }

Result<std::vector<std::uint32_t>> Heap::find(std::string_view query) const {
  const auto parsed = analyze::parse_query(query);
  if (!parsed) return std::unexpected(parsed.error());
  return analyze::find_nodes(graph(), *parsed);
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

std::vector<PathStep> Heap::path_to(std::uint32_t node) const {
  if (!state_->paths) state_->paths = graph::find_shortest_paths(graph(), graph::WeakEdges::left_out);
  const graph::ShortestPaths& paths = *state_->paths;
  if (paths.distance[node] == graph::ShortestPaths::unreached) return {};
  std::vector<PathStep> steps;
  for (; paths.parent_edge[node] != graph::ShortestPaths::no_edge; node = paths.parent[node])
    steps.push_back({.node = node, .edge = paths.parent_edge[node]});
  steps.push_back({.node = node, .edge = {}});
  std::ranges::reverse(steps);
  return steps;
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
