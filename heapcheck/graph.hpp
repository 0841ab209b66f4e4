// The graph of one snapshot, whatever its format: nodes and edges as columns, with names. Sound: every edge
// leads to a node, and node 0 is the root. Owns its memory; nodes and edges are views into it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heapcheck {

class Graph;

/// Texts back to back; owns them.
class Texts {
 public:
  /// Appends a text and returns its index.
  std::uint32_t add(std::string_view text) {
    text_.append(text);
    ends_.push_back(text_.size());
    return static_cast<std::uint32_t>(ends_.size() - 1);
  }
  /// Makes room for `count` texts of `byte_count` bytes together.
  void reserve(std::size_t count, std::size_t byte_count) {
    ends_.reserve(count);
    text_.reserve(byte_count);
  }
  /// How many texts there are.
  [[nodiscard]] std::size_t count() const { return ends_.size(); }
  /// The text at `index`, which must be below count().
  [[nodiscard]] std::string_view operator[](std::size_t index) const {
    const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
    return std::string_view(text_).substr(begin, ends_[index] - begin);
  }

 private:
  std::string text_;
  std::vector<std::size_t> ends_;
};

/// A kind of node or edge: what the format calls it, such as `object`, `synthetic` or `element`.
struct GraphKind {
  std::string name;        ///< as the format calls it
  bool is_weak = false;    ///< of edges: does not keep its target alive
  bool has_index = false;  ///< of edges: the name is a number, a place in an array
};

/// One edge, as a view into its graph.
class Edge {
 public:
  /// The edge of that index, below edge_count(). The graph must outlive it.
  Edge(const Graph& graph, std::uint64_t index) : graph_(&graph), index_(index) {}
  /// The node it leads to.
  [[nodiscard]] std::uint32_t target() const;
  /// What the format calls such edges.
  [[nodiscard]] const GraphKind& kind() const;
  /// Empty where the kind has an index instead.
  [[nodiscard]] std::string_view name() const;
  /// The name as a number where the kind has an index; 2^32 - 1 where it is that or more.
  [[nodiscard]] std::uint32_t number() const;
  /// Its place in the columns of edges.
  [[nodiscard]] std::uint64_t index() const { return index_; }

 private:
  const Graph* graph_;
  std::uint64_t index_;
};

/// One node, as a view into its graph.
class Node {
 public:
  /// The node of that index, below node_count(). The graph must outlive it.
  Node(const Graph& graph, std::uint32_t index) : graph_(&graph), index_(index) {}
  /// Its place in the columns of nodes; 0 for the root.
  [[nodiscard]] std::uint32_t index() const { return index_; }
  /// What the format calls such nodes.
  [[nodiscard]] const GraphKind& kind() const;
  /// The name of its type, function or static frame, as the format gives it.
  [[nodiscard]] std::string_view name() const;
  /// Bytes of the node alone, unmanaged ones included.
  [[nodiscard]] std::uint64_t size() const;
  /// The format's own id; its index where the format has none.
  [[nodiscard]] std::uint64_t id() const;
  /// The edges out of it, in the order of the file: a range of Edge.
  [[nodiscard]] auto edges() const;

 private:
  const Graph* graph_;
  std::uint32_t index_;
};

/// Nodes and edges as columns.
class Graph {
 public:
  /// How many nodes there are.
  [[nodiscard]] std::uint32_t node_count() const { return static_cast<std::uint32_t>(node_kind.size()); }
  /// How many edges there are.
  [[nodiscard]] std::uint64_t edge_count() const { return edge_target.size(); }
  /// All nodes, the root first: a range of Node.
  [[nodiscard]] auto nodes() const {
    return std::views::iota(std::uint32_t{0}, node_count()) |
           std::views::transform([this](std::uint32_t index) { return Node(*this, index); });
  }
  /// The node of that index, below node_count().
  [[nodiscard]] Node node(std::uint32_t index) const { return {*this, index}; }

  // Nodes: columns, equally long.
  std::vector<std::uint8_t> node_kind;   ///< an index into node_kinds
  std::vector<std::uint32_t> node_name;  ///< an index into texts
  std::vector<std::uint64_t> node_size;  ///< bytes
  std::vector<std::uint64_t> node_id;    ///< as the format gives it
  /// The first edge of each node, and one more value: how many edges there are.
  std::vector<std::uint64_t> first_edge;

  // Edges, those of a node together: columns, equally long.
  std::vector<std::uint8_t> edge_kind;     ///< an index into edge_kinds
  std::vector<std::uint32_t> edge_name;    ///< an index into texts, or a number, as the kind says
  std::vector<std::uint32_t> edge_target;  ///< a node

  std::vector<GraphKind> node_kinds;  ///< at most 256
  std::vector<GraphKind> edge_kinds;  ///< at most 256
  Texts texts;                        ///< names of nodes and edges
};

inline std::uint32_t Edge::target() const { return graph_->edge_target[index_]; }
inline const GraphKind& Edge::kind() const { return graph_->edge_kinds[graph_->edge_kind[index_]]; }
inline std::string_view Edge::name() const {
  return kind().has_index ? std::string_view() : graph_->texts[graph_->edge_name[index_]];
}
inline std::uint32_t Edge::number() const { return graph_->edge_name[index_]; }

inline const GraphKind& Node::kind() const { return graph_->node_kinds[graph_->node_kind[index_]]; }
inline std::string_view Node::name() const { return graph_->texts[graph_->node_name[index_]]; }
inline std::uint64_t Node::size() const { return graph_->node_size[index_]; }
inline std::uint64_t Node::id() const { return graph_->node_id[index_]; }
inline auto Node::edges() const {
  return std::views::iota(graph_->first_edge[index_], graph_->first_edge[index_ + 1]) |
         std::views::transform([graph = graph_](std::uint64_t index) { return Edge(*graph, index); });
}

}  // namespace heapcheck
