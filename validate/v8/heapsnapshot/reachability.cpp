#include "validate/v8/heapsnapshot/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "graph/reach.hpp"
#include "validate/v8/heapsnapshot/node_rows.hpp"

namespace heapcheck::validation::v8::heapsnapshot {
namespace {

using format::chunk_rows;
using format::ChunkedColumn;

/// The edges of a snapshot, in the order of their nodes. Decodes their targets one chunk at a time, and stops
/// providing edges when a target is not a node. Borrows the snapshot.
class SnapshotEdges {
 public:
  explicit SnapshotEdges(const Snapshot& snapshot)
      : columns_(snapshot.table(Section::nodes).columns.size()),
        edge_counts_(snapshot.find_column(Section::nodes, "edge_count")),
        targets_(snapshot.find_column(Section::edges, "to_node")) {}

  [[nodiscard]] std::uint64_t node_count() const { return edge_counts_->count(); }

  template <class Use>
  void follow_next(std::uint64_t node, Use&& use) {
    while (next_ <= node) pass();
    std::uint64_t edge = first_;
    const std::uint64_t end = end_;
    while (edge < end && load_to(edge / chunk_rows)) {
      const auto first = static_cast<std::size_t>(edge % chunk_rows);
      const auto count = static_cast<std::size_t>(std::min(end - edge, chunk_rows - first));
      for (const std::uint32_t target : std::span(nodes_).subspan(first, count)) use(target);
      edge += count;
    }
  }

  template <class Use>
  void follow_earlier(std::uint64_t node, Use&& use) {
    const std::uint64_t mark = node / mark_rows;
    std::uint64_t edge = marks_[static_cast<std::size_t>(mark)];
    for (std::uint64_t i = mark * mark_rows; i < node; ++i) edge += (*edge_counts_)[i];
    const std::uint64_t end = edge + (*edge_counts_)[node];
    if (edge == end || !load_to((end - 1) / chunk_rows)) return;
    for (; edge < end; ++edge) use((*targets_)[edge] / columns_);
  }

  /// Whether all targets are nodes. Decodes those that were not needed.
  [[nodiscard]] bool are_right() {
    return targets_->chunk_count() == 0 || load_to(targets_->chunk_count() - 1);
  }

 private:
  /// The index of the first edge is kept for every node whose index is a multiple of this.
  static constexpr std::uint64_t mark_rows = 16;

  /// Moves on to the edges of the next node.
  void pass() {
    const auto i = static_cast<std::size_t>(next_ % chunk_rows);
    if (i == 0) edge_counts_->decode_chunk(next_ / chunk_rows, counts_);
    if (i % mark_rows == 0) marks_.push_back(end_);
    first_ = end_;
    end_ += counts_[i];
    ++next_;
  }

  /// Loads the chunks up to this one, unless they already were. Returns whether all targets so far are nodes.
  bool load_to(std::uint64_t chunk) {
    for (; are_right_ && loaded_ <= chunk; ++loaded_) load();
    return are_right_;
  }

  /// Converts the targets of the next chunk of edges to rows of nodes.
  void load() {
    if (targets_->largest(loaded_) <= UINT32_MAX && node_count() <= UINT32_MAX / columns_) {
      const std::size_t count = targets_->decode_chunk(loaded_, nodes_);
      const RowDivision divide(static_cast<std::uint32_t>(columns_));
      are_right_ = divide_positions(std::span(nodes_).first(count), divide) < node_count();
      return;
    }
    ChunkValues targets;
    const std::size_t count = targets_->decode_chunk(loaded_, targets);
    for (std::size_t i = 0; i < count; ++i) {
      are_right_ = are_right_ && targets[i] % columns_ == 0 && targets[i] / columns_ < node_count();
      nodes_[i] = static_cast<std::uint32_t>(targets[i] / columns_);
    }
  }

  std::uint64_t columns_;
  const ChunkedColumn* edge_counts_;
  const ChunkedColumn* targets_;
  std::vector<std::uint64_t> marks_;  // the first edge of every mark_rows-th node
  std::uint64_t next_ = 0;            // the next node
  std::uint64_t first_ = 0;           // the first edge of the node before `next_`
  std::uint64_t end_ = 0;             // the edge after the last one of that node
  std::uint64_t loaded_ = 0;          // the number of chunks of edges that were loaded
  bool are_right_ = true;             // whether their targets are nodes
  ChunkValues counts_{};
  std::array<std::uint32_t, chunk_rows> nodes_;  // the targets in the last of these chunks
};

}  // namespace

bool check_reachability(const Snapshot& snapshot, core::FindingSink& sink) {
  const format::Table& nodes = snapshot.table(Section::nodes);
  if (nodes.row_count() > UINT32_MAX) {
    sink.skip({"/nodes", "there are too many nodes, 2^32 or more"});
    return false;
  }
  SnapshotEdges edges(snapshot);
  const graph::NodeSet met = graph::find_reachable(edges);
  if (!edges.are_right()) return false;
  const std::uint64_t count = met.size() - met.count();
  if (count == 0) return true;
  const std::uint64_t first = met.find_missing();
  sink.report({&rules::nodes_unreachable,
               {format::find_row(nodes, first), std::nullopt, fmt::format("/nodes/{}", first)},
               count == 1
                   ? std::string("1 node cannot be reached from the root")
                   : fmt::format("{} nodes cannot be reached from the root; this is the first", count)});
  return true;
}

}  // namespace heapcheck::validation::v8::heapsnapshot
