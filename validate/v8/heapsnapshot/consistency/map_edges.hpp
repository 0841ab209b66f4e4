// The internal `map` edge, which connects an object in V8 to the description of its layout, and the order of
// the edges around it. A node that lacks this edge, has two of them, or has edges in a different order has
// the edges of another node. spec: v8/heapsnapshot.md#consistency
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "validate/v8/heapsnapshot/consistency/edge_chunks.hpp"

namespace heapcheck::validation::v8::heapsnapshot::consistency {

/// The nodes whose edges do not match their types.
struct EdgeMismatch {
  enum class Kind : std::uint8_t {
    map_count,     ///< the node has the wrong number of `map` edges
    hidden_first,  ///< the first edge is hidden, in a node with `map`
    late_edge      ///< a context, property or shortcut edge follows `map` or a hidden edge
  };

  Kind kind = Kind::map_count;
  std::uint64_t row = 0;    ///< the first such node
  std::uint64_t edge = 0;   ///< its first edge
  std::uint64_t found = 0;  ///< the number of its `map` edges
  std::uint64_t nodes = 0;  ///< the number of nodes with a mismatch of this kind
};

/// The number of `map` edges that nodes of a type must have.
enum class MapNeed : std::uint8_t { any, at_most_one, one, one_if_any_edge };

/// The requirement for nodes of that type in files from V8.
[[nodiscard]] MapNeed find_map_need(std::string_view type);

/// The types of edges that matter here, and the name of `map` edges.
struct EdgeKinds {
  /// Bits for each type: whether such edges are internal, hidden, or come before `map`.
  static constexpr unsigned internal = 1;
  static constexpr unsigned hidden = 2;
  static constexpr unsigned early = 4;

  std::array<std::uint8_t, UINT8_MAX + 1> of_type;
  std::uint32_t map;
};

/// Compares the `map` edges of nodes with the requirements. Nodes, edges and strings must be sound, but the
/// counts do not have to match. Borrows the snapshot.
class MapScan {
 public:
  explicit MapScan(const Snapshot& snapshot);

  /// Chunks must be added in order.
  void add(const EdgeChunk& chunk);

  /// Returns the first mismatch; empty if there is none, or if the writer does not write the edge. Nodes
  /// without the edge are no mismatch if all nodes of their kind lack it, as in a file from which a program
  /// removed edges. Must be called after the last chunk.
  [[nodiscard]] std::optional<EdgeMismatch> finish();

 private:
  /// A node and its edges.
  struct Node {
    MapNeed need;
    std::uint64_t edge_count;
  };

  void count_edges(const EdgeChunk& chunk);
  [[nodiscard]] Node load_node();
  void begin_node(const EdgeChunk& chunk);
  void check_node(const Node& node, std::uint64_t counted);
  [[nodiscard]] EdgeMismatch find_wrong_count() const;

  Field node_types_;
  Field node_names_;
  Field edge_counts_;
  std::vector<MapNeed> needs_;  // by type
  EdgeKinds kinds_;

  std::uint64_t rows_ = 0;                  // the number of nodes
  std::uint64_t row_ = 0;                   // the next node
  std::uint64_t edge_ = 0;                  // its first edge
  std::uint64_t total_ = 0;                 // number of `map` edges of all nodes before it
  std::uint64_t needed_ = 0;                // number of these nodes that need one
  bool has_two_ = false;                    // whether one of these nodes has several `map` edges
  std::vector<EdgeMismatch> wrong_counts_;  // one for each node
  EdgeMismatch wrong_order_;

  std::array<std::uint8_t, format::chunk_rows> types_;
  std::array<std::uint32_t, format::chunk_rows> counts_;

  // Sums over the edges of a chunk before each edge, and over all of them: the number of `map` edges and, in
  // the upper half, the number of edges that must not follow the edge before them in the same node.
  std::array<std::uint64_t, format::chunk_rows + 1> before_{};
  std::uint64_t begin_ =
      0;  // the sums before the first edge of the next node; smaller if that edge is in an earlier chunk
  std::uint64_t edges_ = 0;     // the number of edges in all chunks
  bool is_late_ = false;        // whether the last edge is `map` or hidden
  bool begins_hidden_ = false;  // whether the first edge of the next node is hidden
};

/// Takes time linear in the number of nodes and edges.
[[nodiscard]] std::optional<EdgeMismatch> find_edge_mismatch(const Snapshot& snapshot);

}  // namespace heapcheck::validation::v8::heapsnapshot::consistency
