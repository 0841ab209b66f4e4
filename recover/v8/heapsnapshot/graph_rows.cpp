#include "recover/v8/heapsnapshot/graph_rows.hpp"

#include <algorithm>
#include <utility>

#include "recover/v8/heapsnapshot/doubt_marker.hpp"
#include "recover/v8/heapsnapshot/node_signs.hpp"
#include "recover/v8/heapsnapshot/split_evidence.hpp"
#include "validate/v8/heapsnapshot/rules.hpp"

namespace heapcheck::recovery::v8::heapsnapshot {
namespace {

using format::Table;

/// More edges than any file contains, for a section whose end was not read.
constexpr std::uint64_t no_end = std::uint64_t{1} << 62;
/// A split is possible if the signs against it weigh at most this much more than those against the best
/// split.
constexpr std::uint64_t tolerance = 3;
/// The weight of an id that does not follow on from the id of the previous node, in files in which almost all
/// ids do.
constexpr std::uint64_t step_weight = 4;

bool has_whole_rows(const Table& table) {
  return table.is_whole() && table.value_count == table.row_count() * table.columns.size();
}

std::uint64_t sum_counts(const Snapshot& snapshot) {
  std::uint64_t sum = 0;
  for_each_value(*snapshot.find_column(Section::nodes, "edge_count"),
                 [&](std::uint64_t, std::uint64_t count) { sum += std::min(count, no_end - sum); });
  return sum;
}

/// Whether a count in the header may be right. If most rows were lost or added, trusting the count is not
/// worth the memory for placeholders or the loss of rows.
bool is_plausible(const std::optional<format::HeaderNumber>& said, const Table& table) {
  return said && said->value >= table.row_count() / 4 && said->value != 0 &&
         said->value <= 4 * table.row_count() + 64;
}

/// The number of rows before the damage occurred. The header states this number, but if the rows are
/// consistent, their own number is used.
std::uint64_t find_count(const std::optional<format::HeaderNumber>& said, const Table& table, bool fits) {
  return (fits && has_whole_rows(table)) || !is_plausible(said, table) ? table.row_count() : said->value;
}

/// Whether edges and edge counts match the rows of nodes that were read, even if the header states a
/// different number. If the header states fewer nodes, edges must lead to the additional rows.
bool is_consistent(const Snapshot& snapshot, std::uint64_t sum) {
  const Table& nodes = snapshot.table(Section::nodes);
  const Table& edges = snapshot.table(Section::edges);
  const std::uint64_t last =
      snapshot.find_column(Section::edges, "to_node")->largest() / nodes.columns.size();
  const auto& said = snapshot.header.node_count;
  return has_whole_rows(nodes) && has_whole_rows(edges) && sum == edges.row_count() &&
         last < nodes.row_count() && (!said || said->value >= nodes.row_count() || last >= said->value);
}

std::uint64_t weigh(std::uint8_t signs) {
  const std::uint64_t heavy = (signs & (wrong_node | wrong_edge)) != 0 ? 4 : 0;
  return heavy + ((signs & wrong_step) != 0 ? step_weight : 0) + ((signs & wrong_map) != 0 ? 1 : 0) +
         ((signs & wrong_target) != 0 ? 1 : 0);
}

/// The hints that distinguish possible splits from all others.
struct SplitHints {
  const GraphColumns& columns;
  const NodeSigns& front_signs;
  const NodeSigns& back_signs;
  std::uint64_t lost_nodes;
  std::uint64_t lost_edges;
  bool has_steps;
};

/// Finds the possible splits by trying all splits.
class Splitter {
 public:
  Splitter(const GraphAlignment& graph, const SplitHints& hints)
      : hints_(hints), front_(&graph.from_front), back_(&graph.from_back) {}

  /// The split whose front part ends before the earliest possible position of the damage and whose back part
  /// begins after the latest.
  [[nodiscard]] Split find() const {
    std::uint64_t least = no_end;
    for_each_split([&](const Split&, std::uint64_t weight) { least = std::min(least, weight); });
    Split split{0, front_->nodes.count(), 0, front_->edges.count()};
    bool is_first = true;
    for_each_split([&](const Split& possible, std::uint64_t weight) {
      if (weight > least + tolerance) return;
      if (std::exchange(is_first, false)) {
        split.front = possible.front;
        split.front_edge = possible.front_edge;
      }
      split.back = possible.back;
      split.back_edge = possible.back_edge;
    });
    return split;
  }

  /// Whether the distance between the ids on both sides is right for the number of nodes in between.
  [[nodiscard]] bool is_right_step(const Split& split) const {
    return split.front != 0 && back_->nodes.get(split.back, hints_.columns.node_id) ==
                                   front_->nodes.get(split.front - 1, hints_.columns.node_id) +
                                       2 * (split.back - split.front + 1);
  }

 private:
  [[nodiscard]] std::uint64_t weigh_all(const NodeSigns& signs) const {
    std::uint64_t weight = 0;
    for (std::uint64_t i = signs.begin; i < signs.end; ++i) weight += weigh(signs.signs[i]);
    return weight;
  }

  /// Calls `use` with each split and the weight of the signs against it. For each split, there is room for
  /// the lost rows between the two sides.
  template <class Use>
  void for_each_split(Use&& use) const {
    Split split{0, hints_.back_signs.begin, 0, hints_.back_signs.begin_edge};
    std::uint64_t before = 0;
    std::uint64_t after = weigh_all(hints_.back_signs);
    for (;; ++split.front) {
      while (split.back < back_->nodes.count() && (split.back < split.front + hints_.lost_nodes ||
                                                   split.back_edge < split.front_edge + hints_.lost_edges)) {
        after -= weigh(hints_.back_signs.signs[split.back]);
        split.back_edge += back_->nodes.get(split.back++, hints_.columns.edge_count);
      }
      if (split.back < split.front + hints_.lost_nodes ||
          split.back_edge < split.front_edge + hints_.lost_edges)
        return;
      use(split, before + after + weigh_step(split));
      if (split.front == hints_.front_signs.end) return;
      before += weigh(hints_.front_signs.signs[split.front]);
      split.front_edge += front_->nodes.get(split.front, hints_.columns.edge_count);
    }
  }

  /// The weight of the step between the ids on the two sides, which replaces the weight of that step in the
  /// back part.
  [[nodiscard]] std::uint64_t weigh_step(const Split& split) const {
    if (!hints_.has_steps || split.back == back_->nodes.count()) return 0;
    const std::uint64_t counted = (hints_.back_signs.signs[split.back] & wrong_step) != 0 ? step_weight : 0;
    return (is_right_step(split) ? 0 : step_weight) - counted;
  }

  SplitHints hints_;
  const GraphRows* front_;
  const GraphRows* back_;
};

/// The number of rows that lost values, assuming that all rows except the first and the last lost all their
/// values.
std::uint64_t count_lost(const Table& table, std::uint64_t count) {
  const std::uint64_t values = count * table.columns.size();
  return values <= table.value_count
             ? 0
             : (values - table.value_count + table.columns.size() - 1) / table.columns.size();
}

/// Removes the signs for missing `map` edges if no nodes have such edges, as in files written by other
/// programs.
void ignore_maps(NodeSigns& front, NodeSigns& back) {
  std::uint64_t with = 0;
  std::uint64_t without = 0;
  for (const NodeSigns* signs : {&front, &back}) {
    for (const std::uint8_t sign : signs->signs) {
      with += (sign & has_map) != 0 ? 1U : 0U;
      without += (sign & wrong_map) != 0 ? 1U : 0U;
    }
  }
  if (with >= without / 3) return;
  for (NodeSigns* signs : {&front, &back}) {
    for (std::uint8_t& sign : signs->signs)
      sign &= static_cast<std::uint8_t>(~unsigned{wrong_map | two_maps});
  }
}

void ignore_steps(NodeSigns& signs) {
  for (std::uint8_t& sign : signs.signs) sign &= static_cast<std::uint8_t>(~unsigned{wrong_step});
}

/// Whether ids show the positions of nodes. This is the case if nodes were moved and, unlike in a timeline,
/// almost all ids follow on from the id of the previous node.
bool has_steps(const GraphAlignment& graph, const NodeSigns& front, const NodeSigns& back) {
  constexpr std::uint64_t few = 10;
  std::uint64_t wrong = 0;
  for (std::uint64_t node = 0; node < graph.nodes.size(); ++node) {
    const auto is_wrong = [node](const NodeSigns& side) {
      return node < side.begin || node >= side.end || (side.signs[node] & wrong_step) != 0;
    };
    wrong += is_wrong(front) && is_wrong(back) ? 1U : 0U;
  }
  return graph.moves_nodes && wrong < graph.nodes.size() / few;
}

/// Finds the nodes between the split and the nearest confirmed nodes. In files without `map` edges, there are
/// no confirmed nodes.
void find_likely(GraphAlignment& graph, const NodeSigns& front, const NodeSigns& back) {
  const Split& split = graph.split;
  if (!graph.is_split || split.front >= graph.nodes.size()) return;
  graph.likely_begin = graph.likely_end = split.front;
  std::size_t before = 0;
  while (graph.likely_begin != 0 && before < confirmed_margin)
    before += is_confirmed(front.signs[--graph.likely_begin]) ? 1U : 0U;
  graph.likely_end = split.back;
  std::size_t after = 0;
  while (graph.likely_end < back.end && after < confirmed_margin)
    after += is_confirmed(back.signs[graph.likely_end++]) ? 1U : 0U;
  if (before + after < confirmed_margin) graph.likely_begin = graph.likely_end = 0;
}

void mark_doubts(GraphAlignment& graph, const NodeSigns& front, const NodeSigns& back) {
  const Split& split = graph.split;
  std::fill(graph.owners.begin() + static_cast<std::ptrdiff_t>(split.front),
            graph.owners.begin() + static_cast<std::ptrdiff_t>(split.back), false);
  if (graph.moves_nodes) {
    std::fill(graph.nodes.begin() + static_cast<std::ptrdiff_t>(split.front),
              graph.nodes.begin() + static_cast<std::ptrdiff_t>(split.back), false);
  }
  find_likely(graph, front, back);
  DoubtMarker marker(graph);
  for (std::uint64_t node = 0; node < split.front; ++node) marker.add(node, front.signs[node]);
  marker.finish(split.front);
  for (std::uint64_t node = split.back; node < back.end; ++node) marker.add(node, back.signs[node]);
  marker.finish(back.end);
}

void mark_unknown_ids(const Snapshot& snapshot, GraphAlignment& graph) {
  if (snapshot.table(Section::nodes).wrong.empty()) return;
  const std::size_t id = *snapshot.schema.find_field(Section::nodes, "id");
  for (std::uint64_t node = 0; node < graph.nodes.size(); ++node) {
    if (!graph.rows_of(node).nodes.is_integer(node, id)) graph.nodes[static_cast<std::size_t>(node)] = false;
  }
}

/// Whether any `edge_count` is not an integer, which shows where the damage is.
bool has_unknown_counts(const Table& nodes, std::size_t edge_count) {
  return std::ranges::any_of(nodes.wrong,
                             [&](std::uint64_t value) { return value % nodes.columns.size() == edge_count; });
}

/// The numbers of rows before the damage occurred, and the parts that are damaged.
struct Extents {
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;
  bool has_nodes = false;  ///< whether all rows of nodes were read and no other rows
  bool has_edges = false;
  bool has_counts = false;  ///< whether each node states its number of edges
  bool sums_up = false;     ///< whether the edge counts of the nodes add up to the number of edges
  bool is_split = false;    ///< whether the rows after the damage are counted from the end
};

Extents find_extents(const Snapshot& snapshot, const GraphColumns& columns) {
  const Table& nodes = snapshot.table(Section::nodes);
  const Table& edges = snapshot.table(Section::edges);
  const std::uint64_t sum = sum_counts(snapshot);
  const bool fits = is_consistent(snapshot, sum);
  Extents extents{.nodes = count_values(nodes) / nodes.columns.size(), .edges = no_end};
  const bool are_all = fits || has_all_nodes(snapshot);
  if (nodes.is_whole()) extents.nodes = find_count(snapshot.header.node_count, nodes, are_all);
  extents.has_nodes = has_whole_rows(nodes) && extents.nodes == nodes.row_count();
  const bool fits_edges = fits || (extents.has_nodes && sum == edges.row_count());
  if (edges.is_whole()) extents.edges = find_count(snapshot.header.edge_count, edges, fits_edges);
  extents.has_edges = has_whole_rows(edges) && extents.edges == edges.row_count();
  extents.has_counts = !has_unknown_counts(nodes, columns.edge_count);
  extents.sums_up = extents.has_counts && sum == extents.edges;
  extents.is_split =
      nodes.is_whole() && edges.is_whole() && !(extents.has_nodes && extents.has_edges && extents.sums_up);
  return extents;
}

/// The number of lost edges, if nothing else was lost.
std::optional<std::uint64_t> find_lost_edges(const Table& edges, const Extents& extents) {
  const bool is_sole = extents.is_split && extents.has_nodes && extents.sums_up && has_whole_rows(edges);
  if (!is_sole || edges.row_count() > extents.edges) return std::nullopt;
  return extents.edges - edges.row_count();
}

/// Uses the ids to find the split, unless they point to a place where ids are irregular.
Split find_widest_split(const Snapshot& snapshot, const GraphColumns& columns, const Extents& extents,
                        const GraphAlignment& graph, NodeSigns& front, NodeSigns& back) {
  SplitHints hints{.columns = columns,
                   .front_signs = front,
                   .back_signs = back,
                   .lost_nodes = count_lost(snapshot.table(Section::nodes), extents.nodes),
                   .lost_edges = count_lost(snapshot.table(Section::edges), extents.edges),
                   .has_steps = has_steps(graph, front, back)};
  if (hints.has_steps) {
    const Splitter splitter(graph, hints);
    const Split split = splitter.find();
    if (split.back < extents.nodes && splitter.is_right_step(split)) return split;
  }
  ignore_steps(front);
  ignore_steps(back);
  hints.has_steps = false;
  return Splitter(graph, hints).find();
}

/// If the edges are intact, they show which of the possible splits are probable.
Split find_split(const Snapshot& snapshot, const GraphColumns& columns, const Extents& extents,
                 const GraphAlignment& graph, NodeSigns& front, NodeSigns& back) {
  const Split widest = find_widest_split(snapshot, columns, extents, graph, front, back);
  if (!graph.moves_nodes || !extents.has_edges) return widest;
  return narrow_split(snapshot, columns, graph, widest,
                      count_lost(snapshot.table(Section::nodes), extents.nodes));
}

/// Whether `nodes` may contain edges, because there is no section of edges.
bool may_be_joined(const Snapshot& snapshot) {
  const Table& edges = snapshot.table(Section::edges);
  return snapshot.table(Section::nodes).is_whole() && !edges.is_whole() && edges.value_count == 0 &&
         snapshot.header.edge_count;
}

/// Finds nodes and edges in a single array: if the end of `nodes` and the beginning of `edges` were lost, the
/// remaining edges follow the nodes. The `node_count` nodes are counted from the start of the array, and the
/// edges from its end. Rows next to the damage are left out. Empty if the last values are not edges.
std::optional<GraphRows> find_joined_rows(const Snapshot& snapshot, const GraphColumns& columns,
                                          std::uint64_t node_count) {
  constexpr std::uint64_t fewest_edges = 64;  // fewer rows may look like edges by chance
  if (!may_be_joined(snapshot)) return std::nullopt;
  const Table& table = snapshot.table(Section::nodes);
  const std::uint64_t fields = snapshot.table(Section::edges).columns.size();
  const std::uint64_t count = snapshot.header.edge_count->value;
  const AlignedRows edges = AlignedRows::from_back(table, fields, count);
  std::uint64_t first = edges.end();
  while (first > edges.begin() && columns.may_be_edge(edges, first - 1, node_count)) --first;
  if (edges.end() - first < fewest_edges) return std::nullopt;
  const std::uint64_t nodes = (table.value_count - (count - first) * fields) / table.columns.size();
  return GraphRows{
      AlignedRows::from_front(table, node_count).make_part(0, nodes - std::min(nodes, damage_margin)),
      edges.make_part(first + damage_margin, count)};
}

GraphAlignment make_alignment(const Snapshot& snapshot, const Extents& extents) {
  const Table& nodes = snapshot.table(Section::nodes);
  const Table& edges = snapshot.table(Section::edges);
  const auto size = static_cast<std::size_t>(extents.nodes);
  return {.from_front = {AlignedRows::from_front(nodes, extents.nodes),
                         AlignedRows::from_front(edges, extents.edges)},
          .from_back = {AlignedRows::from_back(nodes, extents.nodes),
                        AlignedRows::from_back(edges, extents.edges)},
          .split = {0, extents.nodes, 0, extents.edges},
          .is_split = extents.is_split,
          .moves_nodes = nodes.is_whole() && !extents.has_nodes,
          .lost_edges = find_lost_edges(edges, extents),
          .nodes = RowSet(size, true),
          .owners = RowSet(size, true)};
}

}  // namespace

bool has_all_nodes(const Snapshot& snapshot) {
  return snapshot.is_sound(Section::nodes) && snapshot.is_sound(Section::edges) &&
         !validation::v8::heapsnapshot::has_other_nodes(snapshot);
}

bool has_all_edges(const Snapshot& snapshot) {
  return has_all_nodes(snapshot) && sum_counts(snapshot) == snapshot.table(Section::edges).row_count();
}

GraphAlignment align_graph(const Snapshot& snapshot) {
  const GraphColumns columns(snapshot);
  const Extents extents = find_extents(snapshot, columns);
  GraphAlignment graph = make_alignment(snapshot, extents);
  if (const auto joined =
          extents.has_nodes ? std::nullopt : find_joined_rows(snapshot, columns, extents.nodes))
    graph.from_front = *joined;
  SignFinder finder(snapshot, columns);
  finder.add_maps(graph.from_front);
  if (extents.is_split) finder.add_maps(graph.from_back);
  NodeSigns front = finder.find(graph.from_front, End::front);
  NodeSigns back{{}, extents.nodes, extents.nodes, extents.edges};
  if (extents.is_split) back = finder.find(graph.from_back, End::back);
  ignore_maps(front, back);
  graph.split.front = front.end;
  // If only edge counts are unknown, both sides end there, so there is only one possible split.
  if (extents.has_nodes && extents.has_edges && !extents.has_counts) {
    graph.split.back = back.begin;
    graph.split.back_edge = back.begin_edge;
  } else if (extents.is_split) {
    graph.split = find_split(snapshot, columns, extents, graph, front, back);
  }
  mark_doubts(graph, front, back);
  mark_unknown_ids(snapshot, graph);
  return graph;
}

}  // namespace heapcheck::recovery::v8::heapsnapshot
