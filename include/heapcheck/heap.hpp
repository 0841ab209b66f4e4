// Answers questions about the heap in one snapshot. What several answers need is computed once, when it is
// first needed. Owns the graph.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "heapcheck/types/answers.hpp"
#include "heapcheck/types/api.hpp"
#include "heapcheck/types/graph.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck {

/// The heap in one snapshot. Copies share it. Must not be used by two threads at the same time.
class HEAPCHECK_API Heap {
 public:
  /// The heap with these nodes and edges.
  explicit Heap(Graph graph);

  /// The nodes and edges.
  [[nodiscard]] const Graph& graph() const;

  /// Computes now what most answers need, so that they take no time later.
  void prepare() const;

  /// The nodes of each kind that has any, in the order of the format's kinds.
  [[nodiscard]] std::vector<NodeTotals> kinds() const;
  /// The totals of all nodes, without a name: the retained size is that of the root.
  [[nodiscard]] NodeTotals total() const;
  /// The totals of all rows of `of`, largest first.
  [[nodiscard]] std::vector<NodeTotals> top(TopOf of, TopBy by) const;

  /// The indices of the nodes that a query such as `objects type="ABC" size>1000` describes, in file order.
  /// Errors: unsupported, if the query cannot be understood; the message says where and what is expected.
  [[nodiscard]] Result<std::vector<std::uint32_t>> find(std::string_view query) const;
  /// Whether find() understands `query`. Errors: the same.
  [[nodiscard]] static Result<void> check_query(std::string_view query);
  /// The node that `id` names: an id in the file, such as `42840` or `@42840`, or `row:N` for the node with
  /// index N. Errors: unsupported, if there is no such node.
  [[nodiscard]] Result<std::uint32_t> find_node(std::string_view id) const;

  /// The retained size of each node in bytes: what would be freed if the node were. 0 for nodes that cannot
  /// be reached. One row per node. spec: analysis.md#retained-size
  [[nodiscard]] std::span<const std::uint64_t> retained_sizes() const;
  /// The last node before `node` on every path from the root; none for the root and for nodes that cannot be
  /// reached. spec: analysis.md#dominator
  [[nodiscard]] std::optional<std::uint32_t> dominator_of(std::uint32_t node) const;
  /// The nodes whose dominator is `node`, in increasing order.
  [[nodiscard]] std::span<const std::uint32_t> dominated_by(std::uint32_t node) const;
  /// The nodes that no path of retaining edges leads to, in increasing order. spec: analysis.md#reachable
  [[nodiscard]] std::vector<std::uint32_t> find_unreachable() const;

  /// A shortest path from the root to a node, from the root on; empty if no path leads there. If there are
  /// several, it is the one with the earliest edges.
  [[nodiscard]] std::vector<PathStep> path_to(std::uint32_t node) const;
  /// At most `most` paths from the root to a node, the shortest first; each has two adjacent nodes that are
  /// adjacent in none before it. spec: analysis.md#paths
  [[nodiscard]] std::vector<std::vector<PathStep>> paths_to(std::uint32_t node, std::size_t most) const;
  /// The shortest paths to `nodes`, merged: the `limit` places that lead to the most of them (0: all places),
  /// and the root, each after the one above it. spec: analysis.md#merged-paths
  [[nodiscard]] std::vector<MergedPathRow> merge_paths(std::span<const std::uint32_t> nodes,
                                                       std::uint64_t limit) const;
  /// Strings that occur several times, those that waste the most first. Errors: unsupported, if the format
  /// has no contents of strings.
  [[nodiscard]] Result<std::vector<DuplicateStrings>> duplicates() const;
  /// The `limit` places below `node` in the dominator tree that retain the most (0: all of them), and `node`
  /// itself, each after the one above it. `by_type`: nodes of one type at the same place share a row.
  [[nodiscard]] std::vector<DominatorRow> dominator_tree(std::uint32_t node, bool by_type,
                                                         std::uint64_t limit) const;
  /// At most `limit` places of the whole dominator tree by type, and the root, for a picture of it: those
  /// that retain the most, but fewer of those that are far below the root, such as the nodes of a long list.
  [[nodiscard]] std::vector<DominatorRow> outline(std::uint64_t limit) const;
  /// What to look at first, largest first. spec: analysis.md#suspects
  [[nodiscard]] std::vector<Suspect> suspects(const SuspectOptions& options = {}) const;

  /// What grew since an earlier snapshot. `between` has snapshots in which new nodes must be alive, too.
  /// spec: analysis.md#growth
  [[nodiscard]] Growth growth_since(const Heap& first, std::span<const Heap> between = {},
                                    const SuspectOptions& options = {}) const;

  /// The edges that lead to a node, in file order.
  [[nodiscard]] std::vector<std::uint64_t> edges_to(std::uint32_t node) const;
  /// The node that an edge belongs to.
  [[nodiscard]] std::uint32_t source_of(std::uint64_t edge) const;

  struct State;
  /// For use by the library itself.
  [[nodiscard]] const std::shared_ptr<State>& state() const { return state_; }

 private:
  std::shared_ptr<State> state_;
};

}  // namespace heapcheck
