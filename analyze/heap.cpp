#include "analyze/heap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ranges>
#include <utility>

#include "analyze/dominator_tree.hpp"
#include "analyze/paths.hpp"
#include "analyze/query.hpp"
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

TopRows Heap::top_rows(TopOf of, TopBy by) const {
  return {graph(), of, by, {retention().retained, preorder()}};
}

Result<std::vector<std::uint32_t>> Heap::find(std::string_view query) const {
  const auto parsed = parse_query(query);
  if (!parsed) return std::unexpected(parsed.error());
  const bool has_group = !parsed->group || std::ranges::find(graph().node_kinds, *parsed->group,
                                                             &GraphKind::group) != graph().node_kinds.end();
  if (!has_group)
    return std::unexpected(
        Error{ErrorKind::unsupported, fmt::format("has no {}: the snapshot contains no nodes of this kind",
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
  const GraphColumn& ids = graph().node_id;
  const auto found = std::ranges::find(ids, *number);
  if (found == ids.end()) return fail("no node of the snapshot has this id");
  return static_cast<std::uint32_t>(found - ids.begin());
}

std::span<const std::uint64_t> Heap::retained_sizes() const { return retention().retained; }

std::optional<std::uint32_t> Heap::dominator_of(std::uint32_t node) const {
  const std::uint32_t dominator = retention().dominators.dominator[node];
  if (dominator == Dominators::none) return std::nullopt;
  return dominator;
}

std::span<const std::uint32_t> Heap::dominated_by(std::uint32_t node) const { return dominated().of(node); }

std::uint64_t Heap::retained_by(std::span<const std::uint32_t> nodes) const {
  graph::NodeSet wanted(graph().node_count());
  for (const std::uint32_t node : nodes) wanted.add(node);
  const Preorder& order = preorder();
  std::uint64_t size = 0;
  for (std::size_t i = 0; i < order.nodes.size();) {
    const bool is_wanted = wanted.has(order.nodes[i]);
    if (is_wanted) size = core::saturating_add(size, retention().retained[order.nodes[i]]);
    // What it dominates is part of its retained size.
    i = is_wanted ? order.end[i] : i + 1;
  }
  return size;
}

std::vector<std::uint32_t> Heap::find_unreachable() const {
  const graph::EdgeSet found_edges = retention_ ? graph::EdgeSet(0) : graph::find_retaining_edges(graph());
  const graph::EdgeSet& edges = retention_ ? retention_->edges : found_edges;
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

RowCount Heap::count_dominator_rows(std::uint32_t node, bool by_type) const {
  return count_branches(graph(), dominated(), node, by_type ? Branches::types : Branches::nodes);
}

std::vector<DominatorRow> Heap::outline(std::uint64_t limit) const {
  return find_largest_branches(graph(), dominated(), retained_sizes(), 0, Branches::outline, limit);
}

std::vector<std::uint64_t> Heap::edges_to(std::uint32_t node) const {
  std::vector<std::uint64_t> edges;
  for (std::uint64_t i = 0; i < graph().edge_count(); ++i) {
    if (graph().edge_target[i] == node) edges.push_back(i);
  }
  return edges;
}

}  // namespace heapcheck::analyze
