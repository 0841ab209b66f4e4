// Finds the nodes of a heap that are new since an earlier snapshot. spec: analysis.md#growth
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "analyze/dominators.hpp"
#include "graph/node_set.hpp"
#include "heapcheck/types/answers.hpp"
#include "heapcheck/types/graph.hpp"
#include "heapcheck/types/recording.hpp"

namespace heapcheck::analyze {

/// A snapshot of a heap.
struct Moment {
  const Graph& graph;
  const Retention& retention;
};

/// A node in NodesById.
struct NodeById {
  std::uint64_t id = 0;
  std::uint32_t node = 0;  ///< its index
  /// A number that is the same for nodes with the same kind and name, and usually differs for other nodes.
  /// The contents of strings do not count.
  std::uint32_t mark = 0;
};

/// The nodes of a graph by id. Owns its rows.
class NodesById {
 public:
  explicit NodesById(const Graph& graph);

  /// Whether there is a node with that id and mark.
  [[nodiscard]] bool has(std::uint64_t id, std::uint32_t mark) const;
  /// Leaves out the nodes that are not in `other` with the same id and mark.
  void keep_common(const NodesById& other);
  /// Sorted by id and then by node.
  [[nodiscard]] std::span<const NodeById> rows() const { return rows_; }
  /// A number that is the same for graphs with the same nodes and edges, and usually differs otherwise.
  [[nodiscard]] std::uint64_t hash() const { return hash_; }
  /// Whether the file has ids. If it has none, the ids of a graph are the indices of its nodes.
  [[nodiscard]] bool are_known() const { return are_known_; }

 private:
  std::vector<NodeById> rows_;
  std::uint64_t hash_ = 0;
  bool are_known_ = false;
};

/// How the nodes of two graphs with ids are related.
struct Relation {
  bool share_ids = false;  ///< whether equal ids identify the same objects, as in snapshots of one process
  GrowthDoubt doubt{};
};

/// The doubt in JSON, such as `out of order`.
[[nodiscard]] std::string_view name_of(GrowthDoubt doubt);

/// Compares two graphs by id, kind and name. spec: analysis.md#growth
[[nodiscard]] Relation find_relation(const NodesById& first, const NodesById& last);

/// What is certain to be wrong with the order of two recordings. spec: analysis.md#growth
[[nodiscard]] GrowthDoubt find_doubt(const std::optional<Recording>& first,
                                     const std::optional<Recording>& last);

/// The nodes of a snapshot whose ids are not in the snapshot before it. `last` has all nodes of its graph.
[[nodiscard]] graph::NodeSet find_young_nodes(const NodesById& old, const NodesById& last);

/// For each node of `last`, its size if it is young and, if `between` is given, is also in `between`;
/// otherwise 0. V8 may give the id of a node that has died to another one, so the kind and name must be the
/// same, too. `last` has all nodes of its graph, and `sizes` has their sizes.
[[nodiscard]] GraphColumn find_new_sizes(const graph::NodeSet& young, const NodesById* between,
                                         const NodesById& last, GraphColumn sizes);

/// For each node of `last`, how many of its bytes are new on average. Nodes of the same kind, type and
/// representation whose two nearest dominators have the same types count as equal. Their sizes are added up
/// in both snapshots.
[[nodiscard]] GraphColumn estimate_new_sizes(const Moment& first, const Moment& last);

}  // namespace heapcheck::analyze
