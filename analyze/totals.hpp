// Counts the nodes of a graph by kind or by the names of their types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "analyze/dominators.hpp"
#include "analyze/largest_first.hpp"
#include "heapcheck/types/answers.hpp"
#include "heapcheck/types/graph.hpp"

namespace heapcheck::analyze {

/// The retained size of each node in bytes, and the dominator tree.
struct Retained {
  std::span<const std::uint64_t> sizes;
  const Preorder& order;
};

/// A place of the graph as a value. `place` may be null, as in Node::place(); nothing is then known.
[[nodiscard]] Place place_of(const Graph& graph, const SourcePlace* place);
/// The place of `count` nodes of one type, of which `first` is the first. Nothing is known of several nodes
/// if the place does not belong to their type, or if their type name is shared by all nodes of their kind, as
/// `(closure)` is.
[[nodiscard]] Place place_of(const Graph& graph, std::uint32_t first, std::uint64_t count);

/// The totals for each kind that has nodes, in the order in which the format lists its kinds. Their retained
/// sizes are 0.
[[nodiscard]] std::vector<NodeTotals> count_kinds(const Graph& graph);

/// The totals of nodes with the same name and place. Borrows the graph.
struct TopRow {
  std::string_view name;
  const SourcePlace* place = nullptr;  ///< null if nothing is known
  std::uint64_t count = 0;
  std::uint64_t size = 0;      ///< in bytes
  std::uint64_t retained = 0;  ///< in bytes
};

/// The totals for `of`, largest first; equal rows are sorted by name. Nodes whose types have the same name
/// share a row if their places are equal, too. Borrows the graph. While it counts, uses 4 bytes per string of
/// the graph, 4 per node and about 160 per row; afterwards, 80 per row.
class TopRows {
 public:
  TopRows(const Graph& graph, TopOf of, TopBy by, const Retained& retained);
  [[nodiscard]] std::size_t count() const { return rows_.size(); }
  [[nodiscard]] const TopRow& at(std::size_t index) { return rows_[ranks_.at(index).index]; }

 private:
  std::vector<TopRow> rows_;  ///< sorted by name and place
  SortedAsNeeded<Rank> ranks_;
};

/// The same rows as values.
[[nodiscard]] std::vector<NodeTotals> count_top(const Graph& graph, TopOf of, TopBy by,
                                                const Retained& retained);

/// Sorts rows by `by` and then by size and count, largest first. The rows must already be sorted by name;
/// equal rows remain in that order.
[[nodiscard]] std::vector<NodeTotals> sort_largest_first(std::vector<NodeTotals> rows, TopBy by);

}  // namespace heapcheck::analyze
