// Finds the rows of nodes and edges that are still right after their arrays have lost or gained numbers. Rows
// before the damage are counted from the start of each array, and rows after it from the end. Borrows the
// snapshot. spec: v8/heapsnapshot.md#recovery
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "recover/v8/heapsnapshot/aligned_rows.hpp"
#include "recover/v8/heapsnapshot/rebuild.hpp"

namespace heapcheck::recovery::v8::heapsnapshot {

/// The columns of nodes and edges that are needed to follow edges.
struct GraphColumns {
  explicit GraphColumns(const Snapshot& snapshot);

  /// Whether the values of a row are possible for an edge to one of the first `node_count` nodes.
  [[nodiscard]] bool may_be_edge(const AlignedRows& edges, std::uint64_t edge,
                                 std::uint64_t node_count) const {
    const std::uint64_t place = edges.get(edge, to_node);
    return edges.get(edge, edge_type) < edge_types && place % node_columns == 0 &&
           place / node_columns < node_count && edges.is_integer_row(edge);
  }

  std::uint64_t node_columns;
  std::uint64_t edge_types;
  std::size_t node_type;
  std::size_t node_name;
  std::size_t node_id;
  std::size_t edge_count;
  std::optional<std::size_t> detachedness;
  std::size_t edge_type;
  std::size_t edge_name;
  std::size_t to_node;
};

/// Nodes and edges, both counted from the start of their arrays or both from the end.
struct GraphRows {
  AlignedRows nodes;
  AlignedRows edges;
};

/// A split of the nodes. Nodes before `front` are counted from the start, and `back` and later nodes are
/// counted from the end. No other nodes can be placed.
struct Split {
  std::uint64_t front = 0;
  std::uint64_t back = 0;
  std::uint64_t front_edge = 0;  ///< the first edge of the node `front`, counted from the start
  std::uint64_t back_edge = 0;   ///< the first edge of the node `back`, counted from the end
};

/// How many nodes before the first sign of damage and after the last one are also in doubt.
inline constexpr std::uint64_t damage_margin = 16;

/// The result: the positions of the rows, and which rows are right.
struct GraphAlignment {
  GraphRows from_front;
  GraphRows from_back;
  Split split;
  bool is_split = false;     ///< whether `split.back` and later nodes were counted from the end
  bool moves_nodes = false;  ///< whether nodes were lost or added, so that the two alignments differ
  /// The number of lost edges, if only whole edges were lost. For a node between the two parts, its edges as
  /// counted from the start certainly belong to it, except for the last `lost_edges` of them, wherever edges
  /// were lost.
  std::optional<std::uint64_t> lost_edges;
  RowSet nodes;   ///< the nodes whose row is right
  RowSet owners;  ///< the nodes whose edges are known

  /// The nodes around the split whose edges are likely but not certain to be right, because too few nodes
  /// between them and the damage are confirmed to have their own edges.
  std::uint64_t likely_begin = 0;
  std::uint64_t likely_end = 0;

  /// Whether a node is so close to the damage that its row is likely but not certain to be right.
  [[nodiscard]] bool is_near_damage(std::uint64_t node) const {
    return is_split && split.front < nodes.size() && node + damage_margin >= split.front &&
           node < split.back + damage_margin;
  }
  [[nodiscard]] bool has_likely_edges(std::uint64_t node) const {
    return is_near_damage(node) || (node >= likely_begin && node < likely_end);
  }
  [[nodiscard]] const GraphRows& rows_of(std::uint64_t node) const {
    return node < split.front ? from_front : from_back;
  }
};

/// Whether both sections have whole rows, and all nodes are there even if the header counts more or fewer.
[[nodiscard]] bool has_all_nodes(const Snapshot& snapshot);

/// The same, and the nodes count as many edges as there are, even if the header counts more or fewer.
[[nodiscard]] bool has_all_edges(const Snapshot& snapshot);

/// Takes time linear in the size of both sections, and two bytes and four bits of memory per node.
[[nodiscard]] GraphAlignment align_graph(const Snapshot& snapshot);

}  // namespace heapcheck::recovery::v8::heapsnapshot
