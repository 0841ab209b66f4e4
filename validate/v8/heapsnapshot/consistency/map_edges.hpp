// The internal edge `map`, with which V8 connects an object to the description of its layout. A node whose
// type needs that edge but does not have it, or has two, has the edges of another node.
// spec: v8/heapsnapshot.md#consistency
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "validate/v8/heapsnapshot/consistency/edge_chunks.hpp"

namespace heapcheck::validation::v8::heapsnapshot::consistency {

/// The nodes whose number of `map` edges is wrong.
struct MapMismatch {
  std::uint64_t row = 0;    ///< the first such node
  std::uint64_t edge = 0;   ///< its first edge
  std::uint64_t found = 0;  ///< its number of `map` edges
  std::uint64_t nodes = 0;  ///< number of such nodes
};

/// How many `map` edges a node of a type must have.
enum class MapNeed : std::uint8_t { any, at_most_one, one, one_if_any_edge };

/// Compares the needs of nodes with their edges. Nodes, edges and strings must be sound; the counts need not
/// agree. Borrows the snapshot.
class MapScan {
 public:
  explicit MapScan(const Snapshot& snapshot);

  /// Chunks must be added in order.
  void add(const EdgeChunk& chunk);

  /// To be called after the last chunk. Empty if all nodes have what they need, or if the writer does not
  /// write the edge.
  [[nodiscard]] std::optional<MapMismatch> finish();

 private:
  /// A node and its edges.
  struct Node {
    MapNeed need;
    std::uint64_t edge_count;
  };

  void count_edges(const EdgeChunk& chunk);
  [[nodiscard]] Node load_node();
  void check_node(const Node& node, std::uint64_t found);
  void note(const MapMismatch& node, bool is_wrong);

  Field node_types_;
  Field edge_counts_;
  std::vector<MapNeed> needs_;  // by type
  std::uint64_t internal_;
  std::optional<std::uint64_t> map_;  // the name

  std::uint64_t rows_ = 0;    // the number of nodes
  std::uint64_t row_ = 0;     // the next node
  std::uint64_t edge_ = 0;    // its first edge
  std::uint64_t total_ = 0;   // number of `map` edges of all nodes before it
  std::uint64_t needed_ = 0;  // number of these nodes that need one
  bool has_two_ = false;      // whether one of these nodes has several
  MapMismatch mismatch_;

  std::array<std::uint8_t, format::chunk_rows> types_;
  std::array<std::uint32_t, format::chunk_rows> counts_;
  // The number of `map` edges before each edge of a chunk, and before the edge after the last one. In the
  // count of the node that began before the chunk, those in earlier chunks are subtracted.
  std::array<std::uint32_t, format::chunk_rows + 1> before_{};
  std::uint32_t begin_ = 0;
};

/// Takes time linear in the number of nodes and edges.
[[nodiscard]] std::optional<MapMismatch> find_map_mismatch(const Snapshot& snapshot);

}  // namespace heapcheck::validation::v8::heapsnapshot::consistency
