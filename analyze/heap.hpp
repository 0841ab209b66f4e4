// The heap in one snapshot, and the answers to questions about it. Data needed for several answers is
// computed only once, when it is first needed. Owns the graph.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "analyze/dominators.hpp"
#include "analyze/equal_strings.hpp"
#include "analyze/growth.hpp"
#include "analyze/leaks.hpp"
#include "analyze/row_count.hpp"
#include "analyze/suspects.hpp"
#include "analyze/totals.hpp"
#include "graph/breadth_first.hpp"
#include "heapcheck/types/answers.hpp"
#include "heapcheck/types/graph.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::analyze {

/// Suspects, and how many more there are that retain less.
struct FoundSuspects {
  std::vector<Suspect> suspects;
  std::uint64_t smaller = 0;  ///< those with a share of at least 1 %
};

/// The leaks in a population of nodes, and the size to which their shares refer.
struct FoundLeaks {
  GrowthBy by{};           ///< how new nodes were identified
  std::uint64_t size = 0;  ///< the size of everything new or, for one snapshot, of the heap
  std::vector<Suspect> leaks;
  GrowthDoubt doubt{};
};

/// Has the same functions as the public class (heapcheck/heap.hpp), which describes them. Not safe for use by
/// two threads at the same time.
class Heap {
 public:
  explicit Heap(Graph graph) : graph_(std::move(graph)) {}
  [[nodiscard]] const Graph& graph() const { return graph_; }
  void prepare() const;
  [[nodiscard]] std::vector<NodeTotals> kinds() const;
  [[nodiscard]] NodeTotals total() const;
  [[nodiscard]] std::vector<NodeTotals> top(TopOf of, TopBy by) const;
  /// The same rows, which borrow the graph and are sorted as needed.
  [[nodiscard]] TopRows top_rows(TopOf of, TopBy by) const;
  [[nodiscard]] Result<std::vector<std::uint32_t>> find(std::string_view query) const;
  [[nodiscard]] static Result<void> check_query(std::string_view query);
  [[nodiscard]] Result<std::uint32_t> find_node(std::string_view id) const;
  [[nodiscard]] std::span<const std::uint64_t> retained_sizes() const;
  [[nodiscard]] std::optional<std::uint32_t> dominator_of(std::uint32_t node) const;
  [[nodiscard]] std::span<const std::uint32_t> dominated_by(std::uint32_t node) const;
  /// The memory that would be freed along with all of these nodes, in bytes.
  [[nodiscard]] std::uint64_t retained_by(std::span<const std::uint32_t> nodes) const;
  [[nodiscard]] std::vector<std::uint32_t> find_unreachable() const;
  [[nodiscard]] std::vector<PathStep> path_to(std::uint32_t node) const;
  [[nodiscard]] std::vector<std::vector<PathStep>> paths_to(std::uint32_t node, std::size_t most) const;
  [[nodiscard]] std::vector<MergedPathRow> merge_paths(std::span<const std::uint32_t> nodes,
                                                       std::uint64_t limit) const;
  [[nodiscard]] Result<std::vector<DuplicateStrings>> duplicates() const;
  /// Errors: unsupported if the format does not store the contents of strings.
  [[nodiscard]] Result<EqualStrings> equal_strings() const;
  [[nodiscard]] std::vector<DominatorRow> dominator_tree(std::uint32_t node, bool by_type,
                                                         std::uint64_t limit) const;
  /// The number of rows of the whole tree.
  [[nodiscard]] RowCount count_dominator_rows(std::uint32_t node, bool by_type) const;
  [[nodiscard]] std::vector<DominatorRow> outline(std::uint64_t limit) const;
  /// The size of each node as it counts in retained sizes. spec: analysis.md#self-size
  [[nodiscard]] const GraphColumn& counted_sizes() const { return program_retention().sizes; }
  /// The retention in which suspects are found. The same as for all other figures, except in MoarVM's dumps.
  [[nodiscard]] const Retention& program_retention() const;
  /// The retained sizes that decide which nodes are suspects.
  [[nodiscard]] std::span<const std::uint64_t> suspect_sizes() const { return program_retention().retained; }
  /// The nodes by id, to compare the snapshot with another one.
  [[nodiscard]] const NodesById& nodes_by_id() const;
  [[nodiscard]] FoundSuspects suspects(const SuspectOptions& options = {}) const;
  [[nodiscard]] Growth growth_since(const Heap& first, const NodesById* between = nullptr,
                                    const SuspectOptions& options = {}) const;
  /// The leaks among the nodes of the large parts of the heap that suspects() finds.
  [[nodiscard]] FoundLeaks leaks(const SuspectOptions& options) const;
  /// The leaks among what is new since an earlier snapshot. If nodes cannot be identified, uses those of the
  /// parts that growth_since() finds. Leaves out leaks that retain less than the share.
  [[nodiscard]] FoundLeaks leaks_since(const Heap& first, const NodesById* between,
                                       const SuspectOptions& options) const;
  [[nodiscard]] std::vector<std::uint64_t> edges_to(std::uint32_t node) const;

 private:
  const Retention& retention() const;
  const graph::ShortestPaths& paths() const;
  const Preorder& preorder() const;
  const DominatedNodes& dominated() const;
  Moment moment() const { return {graph_, program_retention()}; }
  FoundSuspects find_suspects(std::span<const std::uint64_t> sizes, graph::NodeSet young,
                              const SuspectOptions& options) const;
  std::vector<Suspect> find_leaks(const Population& population, const graph::AvoidedNodes& avoided,
                                  const LeakSizes& sizes) const;
  void add_paths(const graph::AvoidedNodes& avoided, const DominatedNodes& below,
                 std::vector<Suspect>& suspects) const;
  /// The suspects without their descriptions, and without scattered ones.
  std::vector<Suspect> find_parts(std::span<const std::uint64_t> sizes, const SuspectOptions& options) const;
  FoundLeaks find_leaks_in(const std::vector<Suspect>& parts, const LeakSizes& sizes) const;
  FoundLeaks find_new_leaks(const Heap& first, const NodesById* between, const SuspectOptions& options) const;

  Graph graph_;
  mutable std::optional<graph::ShortestPaths> paths_;
  mutable std::optional<Retention> retention_;
  mutable std::optional<Preorder> preorder_;
  mutable std::optional<DominatedNodes> dominated_;
  mutable std::optional<Retention> program_retention_;
  mutable std::optional<NodesById> nodes_by_id_;
};

}  // namespace heapcheck::analyze
