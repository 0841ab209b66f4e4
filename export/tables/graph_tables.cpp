#include "export/tables/tables.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "analyze/dominators.hpp"
#include "analyze/equal_strings.hpp"
#include "analyze/node_stacks.hpp"
#include "analyze/totals.hpp"
#include "formats/core/checked.hpp"
#include "graph/breadth_first.hpp"

namespace heapcheck::exports::tables {
namespace {

using enum ColumnType;

constexpr Column node_columns[] = {
    {"snapshot", integer},
    {"node", integer},
    {"id", integer},
    {"kind", text},
    {"name", text},
    {"type", text},
    {"representation", text, true},
    {"size", integer},
    {"retained", integer},
    {"dominator", integer, true},
    {"distance", integer, true},
    {"file", text, true},
    {"line", integer, true},
    {"column", integer, true},
    {"stack", integer, true},
    {"detached", integer, true},
};
constexpr Column edge_columns[] = {
    {"snapshot", integer}, {"source", integer},  {"target", integer},
    {"kind", text},        {"name", text, true}, {"number", integer, true},
};
constexpr Column type_columns[] = {
    {"snapshot", integer}, {"group", text},   {"name", text},
    {"count", integer},    {"size", integer}, {"retained", integer},
};
constexpr Column string_columns[] = {
    {"snapshot", integer},
    {"text", text},
    {"count", integer},
    {"size", integer},
};

Result<Counts> write_snapshot(const GraphInput& input, Part part, RowBuffer& rows) {
  if (part.begin(1) == part.end(1)) return rows.finish();
  write_snapshot_row({.file = input.file,
                      .format = input.format,
                      .snapshot = input.snapshot,
                      .nodes = input.graph.node_count(),
                      .edges = input.graph.edge_count(),
                      .size = core::saturating_sum(input.graph.node_size)},
                     rows);
  return rows.finish();
}

/// The places of nodes in source code, for nodes in increasing order.
class PlacesInOrder {
 public:
  PlacesInOrder(const Graph& graph, std::uint32_t first_node) : graph_(graph), places_(graph.node_places) {
    next_ = static_cast<std::size_t>(std::ranges::lower_bound(places_, first_node, {}, &NodePlace::node) -
                                     places_.begin());
  }
  /// The first place of a node; null if it has none.
  const SourcePlace* find(std::uint32_t node) {
    while (next_ < places_.size() && places_[next_].node < node) ++next_;
    return next_ < places_.size() && places_[next_].node == node ? &graph_.source_places[places_[next_].place]
                                                                 : nullptr;
  }

 private:
  const Graph& graph_;
  const std::vector<NodePlace>& places_;
  std::size_t next_ = 0;
};

void add_place(const Graph& graph, const SourcePlace* found, RowBuffer& rows) {
  const SourcePlace place = found == nullptr ? SourcePlace{.file = Graph::no_text} : *found;
  const bool has_file = place.file != Graph::no_text;
  rows.add_or_skip(has_file, has_file ? graph.texts[place.file] : std::string_view());
  rows.add_or_skip(place.line != 0, place.line).add_or_skip(place.column != 0, place.column);
}

Result<Counts> write_nodes(const GraphInput& input, Part part, RowBuffer& rows) {
  const Graph& graph = input.graph;
  const analyze::Dominators& dominators = input.retention.dominators;
  // Weak edges do not keep anything alive, so a distance along them would suggest that a node is kept alive
  // when it is not.
  const auto paths = graph::find_shortest_paths(graph, graph::WeakEdges::left_out);
  const auto begin = static_cast<std::uint32_t>(part.begin(graph.node_count()));
  const auto end = static_cast<std::uint32_t>(part.end(graph.node_count()));
  PlacesInOrder places(graph, begin);
  for (std::uint32_t i = begin; i < end; ++i) {
    const Node node = graph.node(i);
    rows.add(input.snapshot)
        .add(i)
        .add(node.id())
        .add(node.kind().name)
        .add(node.name())
        .add(node.type_name());
    rows.add_or_skip(!node.representation().empty(), node.representation());
    rows.add(node.size()).add(input.retention.retained[i]);
    rows.add_or_skip(dominators.dominator[i] != analyze::Dominators::none, dominators.dominator[i]);
    rows.add_or_skip(paths.distance[i] != graph::ShortestPaths::unreached, paths.distance[i]);
    add_place(graph, places.find(i), rows);
    const std::uint32_t stack = graph.node_stack.empty() ? Graph::no_stack : graph.node_stack[i];
    rows.add_or_skip(stack != Graph::no_stack, stack);
    rows.add_or_skip(!graph.node_dom_state.empty(),
                     std::uint64_t{node.dom_state() == DomState::detached ? 1U : 0U});
    if (!rows.end_row()) break;
  }
  return rows.finish();
}

Result<Counts> write_edges(const GraphInput& input, Part part, RowBuffer& rows) {
  const Graph& graph = input.graph;
  const std::uint64_t end = part.end(graph.edge_count());
  std::uint64_t i = part.begin(graph.edge_count());
  std::uint32_t source = i < end ? graph.source_of(i) : 0;
  for (; i < end; ++i) {
    while (graph.first_edge[source + std::size_t{1}] <= i) ++source;
    const Edge edge(graph, i);
    const bool has_number = edge.kind().has_index;
    rows.add(input.snapshot).add(source).add(edge.target()).add(edge.kind().name);
    rows.add_or_skip(!edge.name().empty(), edge.name()).add_or_skip(has_number, edge.number());
    if (!rows.end_row()) break;
  }
  return rows.finish();
}

struct Group {
  std::string_view name;
  TopOf of;
};
constexpr Group groups[] = {{"object", TopOf::objects},
                            {"type object", TopOf::types},
                            {"STable", TopOf::stables},
                            {"frame", TopOf::frames}};

struct TypeRow {
  std::string_view group;
  NodeTotals totals;
};

/// The group of nodes that are counted by kind and not by the names of their types; empty for other nodes.
std::string_view name_group(const Graph& graph, std::string_view kind) {
  const auto found = std::ranges::find(graph.node_kinds, kind, &GraphKind::name);
  if (found == graph.node_kinds.end()) return {};
  if (found->group == NodeGroup::string) return "string";
  if (found->group == NodeGroup::root) return "root";
  return found->group == NodeGroup::other ? "other" : std::string_view();
}

/// Each node of the graph is counted in one row.
std::vector<TypeRow> count_types(const GraphInput& input) {
  const analyze::Preorder order = analyze::find_preorder(input.retention.dominators);
  const auto count = [&](TopOf of) {
    return analyze::count_top(input.graph, of, TopBy::size, {input.retention.retained, order});
  };
  std::vector<TypeRow> types;
  for (const Group& group : groups) {
    for (NodeTotals& totals : count(group.of)) types.push_back({group.name, std::move(totals)});
  }
  for (NodeTotals& totals : count(TopOf::kinds)) {
    const std::string_view group = name_group(input.graph, totals.name);
    if (!group.empty()) types.push_back({group, std::move(totals)});
  }
  return types;
}

Result<Counts> write_types(const GraphInput& input, Part part, RowBuffer& rows) {
  const std::vector<TypeRow> types = count_types(input);
  const std::uint64_t end = part.end(types.size());
  for (std::uint64_t i = part.begin(types.size()); i < end; ++i) {
    const auto& [group, totals] = types[i];
    rows.add(input.snapshot).add(group).add(totals.name);
    rows.add(totals.count).add(totals.size).add(totals.retained);
    if (!rows.end_row()) break;
  }
  return rows.finish();
}

Result<Counts> write_strings(const GraphInput& input, Part part, RowBuffer& rows) {
  const analyze::EqualStrings strings(input.graph);
  const std::uint64_t end = part.end(strings.groups().size());
  for (std::uint64_t i = part.begin(strings.groups().size()); i < end; ++i) {
    const analyze::StringGroup& group = strings.groups()[static_cast<std::size_t>(i)];
    const auto text = strings.find_text(group);
    rows.add(input.snapshot);
    if (text)
      rows.add(*text);
    else
      rows.add_owned(strings.text_of(group));
    rows.add(group.count).add(group.size);
    if (!rows.end_row()) break;
  }
  return rows.finish();
}

/// The stacks of a timeline: the memory that is still alive, and the total that was allocated.
Result<Counts> write_node_stacks(const GraphInput& input, Part part, RowBuffer& rows) {
  if (input.graph.node_stack.empty()) return rows.finish();
  const auto profile = analyze::make_live_profile(input.graph);
  if (!profile) return std::unexpected(profile.error());
  return write_stack_rows(input.snapshot, *profile, part, rows);
}

constexpr GraphTable tables_of_graphs[] = {
    {{"snapshots", snapshot_columns}, write_snapshot},
    {{"nodes", node_columns}, write_nodes},
    {{"edges", edge_columns}, write_edges},
    {{"types", type_columns}, write_types},
    {{"strings", string_columns}, write_strings},
    {{"stacks", stack_columns}, write_node_stacks},
};

}  // namespace

std::span<const GraphTable> all_graph_tables() { return tables_of_graphs; }

}  // namespace heapcheck::exports::tables
