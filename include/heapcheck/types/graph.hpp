// The graph of one snapshot in any format: nodes and edges as columns, with names. It is sound: every edge
// leads to a node, and node 0 is the root. Graph owns its memory; Node and Edge are views into it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <string_view>
#include <vector>

#include "heapcheck/types/graph_column.hpp"
#include "heapcheck/types/graph_kind.hpp"
#include "heapcheck/types/graph_views.hpp"
#include "heapcheck/types/place.hpp"
#include "heapcheck/types/profile.hpp"
#include "heapcheck/types/texts.hpp"

namespace heapcheck {

/// Nodes and edges as columns.
class Graph {
 public:
  /// The number of nodes.
  [[nodiscard]] std::uint32_t node_count() const { return static_cast<std::uint32_t>(node_kind.size()); }
  [[nodiscard]] std::uint64_t edge_count() const { return edge_target.size(); }  ///< the number of edges
  /// All nodes, the root first: a range of Node.
  [[nodiscard]] auto nodes() const {
    return std::views::iota(std::uint32_t{0}, node_count()) |
           std::views::transform([this](std::uint32_t index) { return Node(*this, index); });
  }
  [[nodiscard]] Node node(std::uint32_t index) const { return {*this, index}; }  ///< below node_count()

  /// The node at which an edge starts. `edge` must be below edge_count(). Takes time logarithmic in the
  /// number of nodes.
  [[nodiscard]] std::uint32_t source_of(std::uint64_t edge) const {
    const auto after = std::ranges::upper_bound(first_edge, edge);
    return static_cast<std::uint32_t>(after - first_edge.begin() - 1);
  }

  // Nodes: columns of the same length.
  std::vector<std::uint8_t> node_kind;   ///< an index into node_kinds
  std::vector<std::uint32_t> node_name;  ///< an index into texts
  GraphColumn node_size;                 ///< bytes
  GraphColumn node_id;                   ///< as in the file
  /// An index into texts, or no_text; empty if the format has no representations.
  std::vector<std::uint32_t> node_representation;
  std::vector<DomState> node_dom_state;  ///< empty if all of them are unknown
  /// The first edge of each node, followed by the total number of edges.
  GraphColumn first_edge;
  /// The size in bytes of one row of these columns without the states, if all numbers are below 2^32.
  static constexpr std::uint64_t node_bytes = sizeof(std::uint8_t) + 5 * sizeof(std::uint32_t);

  // Edges, grouped by node: columns of the same length.
  std::vector<std::uint8_t> edge_kind;     ///< an index into edge_kinds
  std::vector<std::uint32_t> edge_name;    ///< an index into texts or a number, depending on the kind
  std::vector<std::uint32_t> edge_target;  ///< the index of a node

  /// The nodes that have places, in increasing order: frames and code objects in MoarVM dumps, and functions
  /// and objects with constructors in V8 snapshots.
  std::vector<NodePlace> node_places;
  std::vector<SourcePlace> source_places;  ///< no two are equal

  // Which calls allocated the nodes of a timeline, and when. Empty in all other snapshots.
  /// For each node: the place in `stacks` of the call that allocated it, or no_stack. Empty if the timeline
  /// was recorded without stacks.
  std::vector<std::uint32_t> node_stack;
  /// The calls that allocated memory, with the totals that they allocated. Its columns of memory are empty.
  AllocationProfile stacks;
  std::vector<AllocationSample> samples;  ///< in increasing order of both time and id

  std::vector<GraphKind> node_kinds;  ///< at most 256
  std::vector<GraphKind> edge_kinds;  ///< at most 256
  Texts texts;                        ///< names of nodes and edges
  RetentionRules rules{};             ///< which edges and sizes count for retained sizes

  static constexpr std::uint32_t no_text = UINT32_MAX;   ///< used instead of an index into texts
  static constexpr std::uint32_t no_stack = UINT32_MAX;  ///< used instead of a place in `stacks`
};

inline std::uint32_t Edge::target() const { return graph_->edge_target[index_]; }
inline const GraphKind& Edge::kind() const { return graph_->edge_kinds[graph_->edge_kind[index_]]; }
inline std::string_view Edge::name() const {
  return kind().has_index ? std::string_view() : graph_->texts[graph_->edge_name[index_]];
}
inline std::uint32_t Edge::number() const { return graph_->edge_name[index_]; }

inline const GraphKind& Node::kind() const { return graph_->node_kinds[graph_->node_kind[index_]]; }
inline std::string_view Node::name() const { return graph_->texts[graph_->node_name[index_]]; }
inline std::string_view Node::type_name() const {
  return kind().type_name.empty() ? name() : std::string_view(kind().type_name);
}
inline std::string_view Node::representation() const {
  if (graph_->node_representation.empty()) return {};
  const std::uint32_t text = graph_->node_representation[index_];
  return text == Graph::no_text ? std::string_view() : graph_->texts[text];
}
inline std::uint64_t Node::size() const { return graph_->node_size[index_]; }
inline std::uint64_t Node::id() const { return graph_->node_id[index_]; }
inline DomState Node::dom_state() const {
  return graph_->node_dom_state.empty() ? DomState::unknown : graph_->node_dom_state[index_];
}
inline const SourcePlace* Node::place() const {
  const std::vector<NodePlace>& places = graph_->node_places;
  const auto found = std::ranges::lower_bound(places, index_, {}, &NodePlace::node);
  return found != places.end() && found->node == index_ ? &graph_->source_places[found->place] : nullptr;
}
inline auto Node::edges() const {
  return std::views::iota(graph_->first_edge[index_], graph_->first_edge[index_ + 1]) |
         std::views::transform([graph = graph_](std::uint64_t index) { return Edge(*graph, index); });
}

}  // namespace heapcheck
