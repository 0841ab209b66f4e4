// Answers questions about the heap in one snapshot. Data needed for several answers is computed only once,
// when it is first needed. Owns the graph.
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

/// The heap in one snapshot. Copies share it. Not safe for use by two threads at the same time.
class HEAPCHECK_API Heap {
 public:
  /// Makes a heap from nodes and edges.
  explicit Heap(Graph graph);

  /// The nodes and edges.
  [[nodiscard]] const Graph& graph() const;

  /// Computes the data that most answers need ahead of time, so that later answers are fast.
  void prepare() const;

  /// The totals for each kind that has nodes, in the order in which the format lists its kinds.
  [[nodiscard]] std::vector<NodeTotals> kinds() const;
  /// The totals for all nodes, without a name. The retained size is that of the root.
  [[nodiscard]] NodeTotals total() const;
  /// The totals for all rows that `of` selects, largest first.
  [[nodiscard]] std::vector<NodeTotals> top(TopOf of, TopBy by) const;

  /// The indices of the nodes that match a query such as `objects type="ABC" size>1000`, in file order.
  /// Errors: unsupported if the query cannot be parsed; the message states where parsing failed and what was
  /// expected there.
  [[nodiscard]] Result<std::vector<std::uint32_t>> find(std::string_view query) const;
  /// Checks whether find() can parse `query`. Errors: the same as for find().
  [[nodiscard]] static Result<void> check_query(std::string_view query);
  /// The node identified by `id`, which is either an id from the file, such as `42840` or `@42840`, or
  /// `row:N` for the node with index N. Errors: unsupported if there is no such node.
  [[nodiscard]] Result<std::uint32_t> find_node(std::string_view id) const;

  /// The retained size of each node: the number of bytes that would be freed if the node were freed. 0 for
  /// unreachable nodes. One row per node. spec: analysis.md#retained-size
  [[nodiscard]] std::span<const std::uint64_t> retained_sizes() const;
  /// The last node before `node` that lies on every path from the root to `node`. The root and unreachable
  /// nodes have none. spec: analysis.md#dominator
  [[nodiscard]] std::optional<std::uint32_t> dominator_of(std::uint32_t node) const;
  /// The nodes whose dominator is `node`, in increasing order.
  [[nodiscard]] std::span<const std::uint32_t> dominated_by(std::uint32_t node) const;
  /// The nodes that cannot be reached through retaining edges, in increasing order. spec:
  /// analysis.md#reachable
  [[nodiscard]] std::vector<std::uint32_t> find_unreachable() const;

  /// A shortest path from the root to a node, or an empty path if the node cannot be reached. If there are
  /// several, returns the one with the earliest edges.
  [[nodiscard]] std::vector<PathStep> path_to(std::uint32_t node) const;
  /// At most `most` paths from the root to a node, shortest first. Each path contains a pair of adjacent
  /// nodes that are not adjacent in any earlier path. spec: analysis.md#paths
  [[nodiscard]] std::vector<std::vector<PathStep>> paths_to(std::uint32_t node, std::size_t most) const;
  /// The shortest paths to `nodes`, merged. Returns the root and the `limit` places that lead to the most
  /// nodes (0 means all places). Each place comes after the place above it. spec: analysis.md#merged-paths
  [[nodiscard]] std::vector<MergedPathRow> merge_paths(std::span<const std::uint32_t> nodes,
                                                       std::uint64_t limit) const;
  /// Strings that occur several times, sorted by wasted bytes, largest first. Errors: unsupported if the
  /// format does not store the contents of strings.
  [[nodiscard]] Result<std::vector<DuplicateStrings>> duplicates() const;
  /// `node`, and the `limit` places below it in the dominator tree that retain the most memory (0 means all
  /// of them). Each place comes after the place above it. With `by_type`, nodes of the same type at the same
  /// place share a row.
  [[nodiscard]] std::vector<DominatorRow> dominator_tree(std::uint32_t node, bool by_type,
                                                         std::uint64_t limit) const;
  /// The root and at most `limit` places from the whole dominator tree by type, for drawing a picture of the
  /// tree. Chooses the places that retain the most memory, but fewer places far below the root, such as the
  /// nodes of a long list.
  [[nodiscard]] std::vector<DominatorRow> outline(std::uint64_t limit) const;
  /// The parts of the heap to look at first: those of the program before those of the runtime, and then the
  /// largest first. spec: analysis.md#suspects
  [[nodiscard]] std::vector<Suspect> suspects(const SuspectOptions& options = {}) const;

  /// The growth since an earlier snapshot. New nodes must also be alive in the snapshots in `between`. spec:
  /// analysis.md#growth
  [[nodiscard]] Growth growth_since(const Heap& first, std::span<const Heap> between = {},
                                    const SuspectOptions& options = {}) const;

  /// The edges that lead to the node, in file order.
  [[nodiscard]] std::vector<std::uint64_t> edges_to(std::uint32_t node) const;
  /// The node from which the edge starts.
  [[nodiscard]] std::uint32_t source_of(std::uint64_t edge) const;

  struct State;
  /// For use by the library itself.
  [[nodiscard]] const std::shared_ptr<State>& state() const { return state_; }

 private:
  std::shared_ptr<State> state_;
};

}  // namespace heapcheck
