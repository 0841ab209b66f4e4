// Edges and nodes of a graph as objects. They are views into the columns of the graph; graph.hpp defines
// their functions, which need the columns.
#pragma once

#include <cstdint>
#include <string_view>

#include "heapcheck/types/graph_kind.hpp"
#include "heapcheck/types/place.hpp"

namespace heapcheck {

class Graph;

/// One edge, as a view into its graph.
class Edge {
 public:
  /// The edge with that index, which must be below edge_count(). The graph must outlive it.
  Edge(const Graph& graph, std::uint64_t index) : graph_(&graph), index_(index) {}
  [[nodiscard]] std::uint32_t target() const;   ///< the node that the edge leads to
  [[nodiscard]] const GraphKind& kind() const;  ///< the kind of the edge
  [[nodiscard]] std::string_view name() const;  ///< empty if the edge has a number instead
  /// The number of the edge if it has one instead of a name, at most 2^32 - 1.
  [[nodiscard]] std::uint32_t number() const;
  [[nodiscard]] std::uint64_t index() const { return index_; }  ///< its index in the columns of edges

 private:
  const Graph* graph_;
  std::uint64_t index_;
};

/// One node, as a view into its graph.
class Node {
 public:
  /// The node with that index, which must be below node_count(). The graph must outlive it.
  Node(const Graph& graph, std::uint32_t index) : graph_(&graph), index_(index) {}
  [[nodiscard]] std::uint32_t index() const { return index_; }  ///< in the columns of nodes; 0 for the root
  [[nodiscard]] const GraphKind& kind() const;                  ///< its kind
  /// The name of its type, function or static frame, as in the file; `Detached <a>` for V8's detached nodes.
  [[nodiscard]] std::string_view name() const;
  /// The name of its type. If all nodes of its kind share one type, this is the kind's type name.
  [[nodiscard]] std::string_view type_name() const;
  /// The name of its representation in memory, such as `P6opaque`. Empty if the format has none.
  [[nodiscard]] std::string_view representation() const;
  [[nodiscard]] std::uint64_t size() const;  ///< of the node itself in bytes, including unmanaged bytes
  [[nodiscard]] std::uint64_t id() const;    ///< as in the file, or its index if the format has no ids
  [[nodiscard]] DomState dom_state() const;  ///< whether it is part of the page; only V8 knows
  /// Its place in the source code; null if unknown. Takes time logarithmic in the number of places.
  [[nodiscard]] const SourcePlace* place() const;
  /// The edges from the node to other nodes, in file order: a range of Edge.
  [[nodiscard]] auto edges() const;

 private:
  const Graph* graph_;
  std::uint32_t index_;
};

}  // namespace heapcheck
