// Marks the nodes whose rows or edges are in doubt because signs of damage around them are close together.
// Changes the alignment of the graph, which it borrows. spec: v8/heapsnapshot.md#recovery
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "recover/v8/heapsnapshot/graph_rows.hpp"
#include "recover/v8/heapsnapshot/node_signs.hpp"

namespace heapcheck::recovery::v8::heapsnapshot {

/// Signs with at most this many nodes between them have the same cause.
inline constexpr std::uint64_t reach = 64;
/// How many nodes before the first sign and after the last one are in doubt although they appear to be in the
/// right place. Signs with fewer such nodes between them have the same cause.
inline constexpr std::size_t confirmed_margin = 16;
/// If this many nodes have impossible edges, the problem is not just a few wrong values.
inline constexpr std::uint64_t many_wrong_edges = 4;

/// Whether a node has the `map` edge that it must have and there is no sign against the node.
inline bool is_confirmed(std::uint8_t signs) { return (signs & ~unsigned{wrong_step}) == has_map; }

/// Marks the nodes around signs that are close together, because numbers there are in the wrong place.
/// Isolated signs are due to wrong values. Nodes of many types never show a sign, so two signs count as far
/// apart only if enough nodes between them are confirmed to be in the right place.
class DoubtMarker {
 public:
  explicit DoubtMarker(GraphAlignment& graph) : graph_(&graph) {}

  void add(std::uint64_t node, unsigned signs) {
    if (is_confirmed(static_cast<std::uint8_t>(signs))) confirm(node);
    signs &= ~unsigned{has_map};
    signs &= ~unsigned{wrong_step};
    if (!graph_->moves_nodes) signs &= ~unsigned{wrong_node | wrong_target};
    if (signs == 0) return;
    if (count_ != 0 && node - last_ > reach && confirmed_ >= confirmed_margin) finish(node);
    if (count_ == 0) first_ = find_begin(node);
    last_ = node;
    confirmed_ = 0;
    ++count_;
    all_ |= signs;
    nodes_ += (signs & (wrong_node | wrong_target)) != 0 ? 1U : 0U;
    edges_ += (signs & wrong_edge) != 0 ? 1U : 0U;
  }
  /// Ends a piece with signs that are close together, at the latest before the node `node_count`.
  void finish(std::uint64_t node_count) {
    const std::uint64_t end = find_end(node_count);
    // A second `map` edge shows that an edge belongs to another node. Files whose size was reduced lack some
    // of these edges.
    const bool is_moved = (all_ & two_maps) != 0 || nodes_ != 0 || edges_ >= many_wrong_edges;
    if (count_ >= 2 && is_moved) mark(graph_->owners, end);
    if (nodes_ >= 2) mark(graph_->nodes, std::min(end, last_ + damage_margin + 1));
    count_ = nodes_ = edges_ = 0;
    all_ = 0;
  }

 private:
  void confirm(std::uint64_t node) {
    recent_[recent_count_++ % confirmed_margin] = node;
    if (++confirmed_ == confirmed_margin) end_ = node;
  }

  /// The first node that is in doubt because of a sign.
  [[nodiscard]] std::uint64_t find_begin(std::uint64_t node) const {
    const std::uint64_t near = node - std::min(node, damage_margin);
    return recent_count_ < confirmed_margin ? near
                                            : std::min(near, recent_[recent_count_ % confirmed_margin]);
  }

  /// The end of the nodes in doubt. If too few nodes are confirmed, all remaining nodes are in doubt, unless
  /// no node was ever confirmed.
  [[nodiscard]] std::uint64_t find_end(std::uint64_t node_count) const {
    const std::uint64_t near = std::min(last_ + damage_margin + 1, node_count);
    if (confirmed_ >= confirmed_margin) return std::max(near, end_);
    return recent_count_ < confirmed_margin ? near : node_count;
  }

  void mark(RowSet& rows, std::uint64_t end) const {
    std::fill(rows.begin() + static_cast<std::ptrdiff_t>(first_),
              rows.begin() + static_cast<std::ptrdiff_t>(end), false);
  }

  GraphAlignment* graph_;
  std::uint64_t first_ = 0;
  std::uint64_t last_ = 0;
  std::uint64_t count_ = 0;
  std::uint64_t nodes_ = 0;  // the number of nodes with a sign against the node itself
  std::uint64_t edges_ = 0;  // the number of nodes with an impossible edge
  unsigned all_ = 0;
  std::size_t confirmed_ = 0;                             // the number of confirmed nodes after the last sign
  std::uint64_t end_ = 0;                                 // the confirmed node that ends the doubt
  std::array<std::uint64_t, confirmed_margin> recent_{};  // the last confirmed nodes
  std::size_t recent_count_ = 0;
};

}  // namespace heapcheck::recovery::v8::heapsnapshot
