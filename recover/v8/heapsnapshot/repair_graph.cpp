#include <algorithm>
#include <utility>

#include "recover/v8/heapsnapshot/graph_rows.hpp"
#include "recover/v8/heapsnapshot/rebuild.hpp"
#include "recover/v8/heapsnapshot/repair.hpp"
#include "validate/v8/heapsnapshot/distinct.hpp"

namespace heapcheck::recovery::v8::heapsnapshot {
namespace {

using format::ChunkedColumn;
using format::Table;

/// Makes rows in place of lost nodes, so that later nodes keep their indices. No other node has the id of
/// such a row.
class Placeholders {
 public:
  Placeholders(const Snapshot& snapshot, const GraphAlignment& graph)
      : columns_(snapshot.table(Section::nodes).columns.size(), 0) {
    const std::size_t id = *snapshot.schema.find_field(Section::nodes, "id");
    id_ = &columns_[id];
    columns_[*snapshot.schema.find_field(Section::nodes, "name")] = lost_node_name;
    for (std::uint64_t node = 0; node < graph.nodes.size(); ++node) {
      if (graph.nodes[static_cast<std::size_t>(node)])
        *id_ = std::max(*id_, graph.rows_of(node).nodes.get(node, id) | 1U);
    }
  }

  [[nodiscard]] const std::vector<std::uint64_t>& next() {
    *id_ += 2;
    return columns_;
  }

 private:
  std::vector<std::uint64_t> columns_;
  std::uint64_t* id_;
};

/// Replaces the rows of nodes with those that are right and with placeholders.
void place_nodes(Snapshot& snapshot, const GraphAlignment& graph, Recovery& recovery) {
  Table& nodes = snapshot.table(Section::nodes);
  Placeholders placeholders(snapshot, graph);
  std::vector<ColumnBuilder> columns(nodes.columns.size());
  for (std::uint64_t node = 0; node < graph.nodes.size(); ++node) {
    const bool is_kept = graph.nodes[static_cast<std::size_t>(node)];
    const std::vector<std::uint64_t>* const lost = is_kept ? nullptr : &placeholders.next();
    recovery.placeholders += is_kept ? 0U : 1U;
    recovery.likely_nodes += is_kept && graph.moves_nodes && graph.is_near_damage(node) ? 1U : 0U;
    for (std::size_t i = 0; i < columns.size(); ++i)
      columns[i].add(is_kept ? graph.rows_of(node).nodes.get(node, i) : (*lost)[i]);
  }
  for (std::size_t i = 0; i < columns.size(); ++i) nodes.columns[i] = columns[i].finish();
}

/// Whether an edge has a known type and leads to a node whose id is known.
bool is_sound_edge(const GraphAlignment& graph, const GraphColumns& columns, const AlignedRows& edges,
                   std::uint64_t edge) {
  return columns.may_be_edge(edges, edge, graph.nodes.size()) &&
         graph.nodes[static_cast<std::size_t>(edges.get(edge, columns.to_node) / columns.node_columns)];
}

/// Keeps the edges whose owner and target are known.
class EdgePlacer {
 public:
  EdgePlacer(Snapshot& snapshot, const GraphAlignment& graph)
      : snapshot_(&snapshot),
        graph_(&graph),
        columns_(snapshot),
        edges_(snapshot.table(Section::edges).columns.size()) {}

  /// Returns the new counts of the nodes' edges.
  [[nodiscard]] ChunkedColumn place(Recovery& recovery) {
    ColumnBuilder counts;
    std::uint64_t first = 0;
    for (std::uint64_t node = 0; node < graph_->nodes.size(); ++node) {
      if (node == graph_->split.back) first = graph_->split.back_edge;
      const bool is_between = node >= graph_->split.front && node < graph_->split.back;
      const std::uint64_t kept = is_between ? place_between(node, first) : place_all(node, first);
      recovery.likely_edges += graph_->has_likely_edges(node) ? kept : 0;
      counts.add(kept);
    }
    Table& edges = snapshot_->table(Section::edges);
    for (std::size_t i = 0; i < edges_.size(); ++i) edges.columns[i] = edges_[i].finish();
    return counts.finish();
  }

 private:
  /// Places the edges of a node, which start at `first`, and moves `first` to the edges of the next node.
  std::uint64_t place_all(std::uint64_t node, std::uint64_t& first) {
    const GraphRows& rows = graph_->rows_of(node);
    const std::uint64_t own = rows.nodes.get(node, columns_.edge_count);
    const bool is_known =
        graph_->nodes[static_cast<std::size_t>(node)] && graph_->owners[static_cast<std::size_t>(node)];
    const std::uint64_t kept = is_known ? place(rows.edges, first, own) : 0;
    first += own;
    return kept;
  }

  /// Places the edges that certainly belong to a node between the two parts.
  std::uint64_t place_between(std::uint64_t node, std::uint64_t& first) {
    if (!graph_->lost_edges) return 0;
    const std::uint64_t own = graph_->from_front.nodes.get(node, columns_.edge_count);
    const std::uint64_t kept =
        place(graph_->from_front.edges, first, own - std::min(own, *graph_->lost_edges));
    first += own;
    return kept;
  }

  std::uint64_t place(const AlignedRows& rows, std::uint64_t first, std::uint64_t count) {
    std::uint64_t kept = 0;
    const std::uint64_t end = std::min(first + count, rows.end());
    for (std::uint64_t edge = std::max(first, rows.begin()); edge < end; ++edge) {
      if (!is_sound_edge(*graph_, columns_, rows, edge)) continue;
      ++kept;
      for (std::size_t i = 0; i < edges_.size(); ++i) edges_[i].add(rows.get(edge, i));
    }
    return kept;
  }

  Snapshot* snapshot_;
  const GraphAlignment* graph_;
  GraphColumns columns_;
  std::vector<ColumnBuilder> edges_;
};

/// Completes a table whose rows were replaced.
void close(Table& table) {
  table.wrong.clear();
  table.rest.clear();
  table.value_count = table.row_count() * table.columns.size();
  table.extent = format::Extent::whole;
  table.is_last_open = false;
}

/// Places nodes and edges, and returns the nodes whose ids are known.
RowSet place_graph(Snapshot& snapshot, Recovery& recovery) {
  GraphAlignment graph = align_graph(snapshot);
  recovery.changed_values += snapshot.table(Section::nodes).wrong.size();
  ChunkedColumn counts = EdgePlacer(snapshot, graph).place(recovery);
  close(snapshot.table(Section::edges));
  place_nodes(snapshot, graph, recovery);
  replace_column(snapshot, Section::nodes, "edge_count", std::move(counts));
  close(snapshot.table(Section::nodes));
  return std::move(graph.nodes);
}

/// Drops edges until no more are in doubt, because the remaining edges can show that others are wrong.
void drop_doubtful_edges(Snapshot& snapshot, Recovery& recovery) {
  constexpr int most_rounds = 8;
  const Table& edges = snapshot.table(Section::edges);
  for (int round = 0; round < most_rounds; ++round) {
    const std::uint64_t before = edges.row_count();
    snapshot.header.node_count = {snapshot.table(Section::nodes).row_count(), {}};
    snapshot.header.edge_count = {before, {}};
    (void)place_graph(snapshot, recovery);
    if (edges.row_count() == before) return;
  }
}

/// Replaces each type that `meta` does not name with the first type, which V8 uses for hidden objects.
void repair_types(Snapshot& snapshot, Recovery& recovery) {
  if (std::exchange(snapshot.schema.omits_symbol, false)) ++recovery.added_types;
  const ChunkedColumn& types = *snapshot.find_column(Section::nodes, "type");
  const std::uint64_t known = snapshot.schema.find_type_names(Section::nodes, "type")->size();
  if (types.largest() < known) return;
  replace_column(snapshot, Section::nodes, "type", make_column(types, [&](std::uint64_t, std::uint64_t type) {
                   recovery.changed_values += type < known ? 0U : 1U;
                   return type < known ? type : 0;
                 }));
}

/// Assigns the smallest unused ids to nodes that have the id of an earlier node. Uses only odd ids, as V8
/// does for its own objects.
void repair_ids(Snapshot& snapshot, Recovery& recovery) {
  const ChunkedColumn& ids = *snapshot.find_column(Section::nodes, "id");
  const std::vector<validation::v8::heapsnapshot::Repeated> repeated =
      validation::v8::heapsnapshot::find_repeated(ids);
  if (repeated.empty()) return;
  FreeIds free(ids.count(), 2);
  for_each_value(ids, [&](std::uint64_t, std::uint64_t id) { free.take(id); });
  auto next = repeated.begin();
  replace_column(snapshot, Section::nodes, "id", make_column(ids, [&](std::uint64_t row, std::uint64_t id) {
                   if (next == repeated.end() || next->row != row) return id;
                   ++next;
                   return free.next();
                 }));
  recovery.changed_values += repeated.size();
}

/// The number of dropped rows, out of the number that was read or the number that the header states,
/// whichever is larger.
std::uint64_t count_dropped(const std::optional<format::HeaderNumber>& said, std::uint64_t read,
                            std::uint64_t kept) {
  return std::max(said ? said->value : 0, read) - kept;
}

}  // namespace

RowSet repair_graph(Snapshot& snapshot, Recovery& recovery) {
  const Table& nodes = snapshot.table(Section::nodes);
  const std::uint64_t read_nodes = nodes.row_count();
  const std::uint64_t read_edges = snapshot.table(Section::edges).row_count();
  if (count_values(nodes) < nodes.columns.size()) return {};
  // A count is ignored if all rows are there.
  const auto said_nodes = has_all_nodes(snapshot) ? std::nullopt : snapshot.header.node_count;
  const auto said_edges = has_all_edges(snapshot) ? std::nullopt : snapshot.header.edge_count;
  const format::Header said = snapshot.header;
  RowSet known = place_graph(snapshot, recovery);
  drop_doubtful_edges(snapshot, recovery);
  snapshot.header = said;
  recovery.kept_nodes = nodes.row_count();
  recovery.kept_edges = snapshot.table(Section::edges).row_count();
  // Edges without a section of their own were read as nodes.
  const bool is_joined = read_edges == 0 && recovery.kept_edges != 0;
  recovery.dropped_nodes = count_dropped(said_nodes, is_joined ? recovery.kept_nodes : read_nodes,
                                         recovery.kept_nodes - recovery.placeholders);
  // Some of the likely edges may have been dropped in the meantime.
  recovery.likely_edges = std::min(recovery.likely_edges, recovery.kept_edges);
  recovery.dropped_edges = count_dropped(said_edges, read_edges, recovery.kept_edges);
  repair_types(snapshot, recovery);
  repair_ids(snapshot, recovery);
  return known;
}

}  // namespace heapcheck::recovery::v8::heapsnapshot
