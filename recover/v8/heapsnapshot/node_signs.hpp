// Signs that a node or the edges assigned to it are in the wrong place. V8 gives almost every object exactly
// one internal `map` edge, which leads to a node that represents a map. Borrows the snapshot. spec:
// v8/heapsnapshot.md#recovery
#pragma once

#include <cstdint>
#include <vector>

#include "recover/v8/heapsnapshot/graph_rows.hpp"
#include "validate/v8/heapsnapshot/consistency/map_edges.hpp"

namespace heapcheck::recovery::v8::heapsnapshot {

using validation::v8::heapsnapshot::consistency::MapNeed;

/// The signs against one node, as bits.
enum Sign : std::uint8_t {
  wrong_node = 1,    ///< the node has a value that no node can have
  wrong_edge = 2,    ///< edges are outside the array, or an edge has a value that no edge can have
  wrong_map = 4,     ///< the node does not have exactly one `map` edge
  wrong_target = 8,  ///< a `map` edge leads to the node, which does not represent a map
  two_maps = 16,     ///< there are several `map` edges, which belong to several nodes
  wrong_step = 64,   ///< the id is not 2 more than the id of the previous node
  has_map = 32,      ///< the node has the `map` edge that it must have, which is a sign that it is in the
                     ///< right place
};

/// The signs of all nodes whose edges can be counted from one end: nodes from `begin` to `end`, whose edges
/// start at `begin_edge`.
struct NodeSigns {
  std::vector<std::uint8_t> signs;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t begin_edge = 0;
};

enum class End : std::uint8_t { front, back };

class SignFinder {
 public:
  SignFinder(const Snapshot& snapshot, const GraphColumns& columns);

  /// Records the nodes to which `map` edges lead.
  void add_maps(const GraphRows& rows);
  [[nodiscard]] NodeSigns find(const GraphRows& rows, End end) const;

 private:
  [[nodiscard]] std::uint8_t look_at_node(const GraphRows& rows, std::uint64_t node) const;
  [[nodiscard]] std::uint8_t look_at_edges(const GraphRows& rows, std::uint64_t node, std::uint64_t first,
                                           std::uint64_t count) const;
  [[nodiscard]] bool follows_previous(const GraphRows& rows, std::uint64_t node) const;
  [[nodiscard]] bool is_map_edge(const AlignedRows& edges, std::uint64_t edge) const;
  [[nodiscard]] bool leads_to_node(const GraphRows& rows, std::uint64_t edge) const;

  const GraphColumns* columns_;
  std::uint64_t node_types_;
  std::uint64_t string_count_;  // the number of strings, or the largest number if it is unknown
  std::uint64_t internal_;      // the edge type `internal` and the name `map`; no value if there is none
  std::uint64_t map_name_;
  std::vector<MapNeed> needs_;  // by type of node
  RowSet map_names_;            // the names of nodes that represent maps
  RowSet maps_;                 // the nodes to which `map` edges lead
  bool edges_are_whole_;
};

}  // namespace heapcheck::recovery::v8::heapsnapshot
