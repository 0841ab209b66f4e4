#include "validate/v8/heapsnapshot/rules.hpp"

#include <fmt/format.h>

#include <bit>

#include "graph/reach.hpp"

namespace heapcheck::validation::v8::heapsnapshot {
namespace {

using format::chunk_rows;
using format::ChunkedColumn;

/// Divides multiples of a number below 2^32 by that number without a division. Multiplies by the inverse of
/// the number's odd part modulo 2^32 instead.
class ExactDivision {
 public:
  explicit ExactDivision(std::uint32_t by) : shift_(std::countr_zero(by)), inverse_(by >> shift_) {
    const std::uint32_t odd = by >> shift_;
    for (int i = 0; i < 5; ++i)
      inverse_ *= 2 - odd * inverse_;  // each step doubles the number of correct bits
  }
  [[nodiscard]] std::uint32_t operator()(std::uint32_t value) const { return (value >> shift_) * inverse_; }

 private:
  int shift_;
  std::uint32_t inverse_;
};

/// The edges of a snapshot, in the order of their nodes. Decodes their targets one chunk at a time. Borrows
/// the snapshot.
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
    for (std::uint64_t i = first_; i < end_; ++i) {
      if (i / chunk_rows != chunk_) load(i / chunk_rows);
      use(nodes_[static_cast<std::size_t>(i % chunk_rows)]);
    }
  }

  template <class Use>
  void follow_earlier(std::uint64_t node, Use&& use) const {
    const std::uint64_t mark = node / mark_rows;
    std::uint64_t edge = marks_[static_cast<std::size_t>(mark)];
    for (std::uint64_t i = mark * mark_rows; i < node; ++i) edge += (*edge_counts_)[i];
    const std::uint64_t end = edge + (*edge_counts_)[node];
    for (; edge < end; ++edge) use((*targets_)[edge] / columns_);
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

  /// Converts the targets of a chunk of edges to indices of nodes.
  void load(std::uint64_t chunk) {
    chunk_ = chunk;
    const std::size_t count = targets_->decode_chunk(chunk, nodes_);
    const ExactDivision divide(static_cast<std::uint32_t>(columns_));
    if (targets_->largest(chunk) >> 32 != 0) {
      for (std::size_t i = 0; i < count; ++i) nodes_[i] /= columns_;
    } else {
      for (std::size_t i = 0; i < count; ++i) nodes_[i] = divide(static_cast<std::uint32_t>(nodes_[i]));
    }
  }

  static constexpr std::uint64_t no_chunk = static_cast<std::uint64_t>(-1);

  std::uint64_t columns_;
  const ChunkedColumn* edge_counts_;
  const ChunkedColumn* targets_;
  std::vector<std::uint64_t> marks_;  // the first edge of every mark_rows-th node
  std::uint64_t next_ = 0;            // the next node
  std::uint64_t first_ = 0;           // the first edge of the node before `next_`
  std::uint64_t end_ = 0;             // the edge after the last one of that node
  std::uint64_t chunk_ = no_chunk;
  ChunkValues counts_{};
  ChunkValues nodes_{};
};

}  // namespace

void check_reachability(const Snapshot& snapshot, core::FindingSink& sink) {
  const format::Table& nodes = snapshot.table(Section::nodes);
  SnapshotEdges edges(snapshot);
  const graph::NodeSet met = graph::find_reachable(edges);
  const std::uint64_t count = met.size() - met.count();
  if (count == 0) return;
  const std::uint64_t first = met.find_missing();
  sink.report({&rules::nodes_unreachable,
               {format::find_row(nodes, first), std::nullopt, fmt::format("/nodes/{}", first)},
               count == 1
                   ? std::string("1 node cannot be reached from the root")
                   : fmt::format("{} nodes cannot be reached from the root; this is the first", count)});
}

}  // namespace heapcheck::validation::v8::heapsnapshot
