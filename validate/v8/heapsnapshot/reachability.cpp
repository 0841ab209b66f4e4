#include "validate/v8/heapsnapshot/reachability.hpp"

#include <fmt/format.h>

#include <bit>

namespace heapcheck::validation::v8::heapsnapshot {
namespace {

using format::chunk_rows;
using format::ChunkedColumn;

class NodeSet {
 public:
  explicit NodeSet(std::uint64_t count) : words_(static_cast<std::size_t>(count / 64 + 1)) {}
  /// Whether it is new.
  bool add(std::uint64_t node) {
    std::uint64_t& word = words_[static_cast<std::size_t>(node / 64)];
    const std::uint64_t bit = std::uint64_t{1} << (node % 64);
    const bool is_new = (word & bit) == 0;
    word |= bit;
    return is_new;
  }
  [[nodiscard]] bool has(std::uint64_t node) const {
    return (words_[static_cast<std::size_t>(node / 64)] >> (node % 64) & 1U) != 0;
  }
  [[nodiscard]] std::uint64_t count() const {
    std::uint64_t total = 0;
    for (const std::uint64_t word : words_) total += static_cast<std::uint64_t>(std::popcount(word));
    return total;
  }

 private:
  std::vector<std::uint64_t> words_;
};

/// Goes through the nodes in their order. Most are met before their turn comes, for V8 numbers them as it
/// finds them; then their edges are read one after another. Only those that are met too late are looked up.
class Walk {
 public:
  explicit Walk(const Snapshot& snapshot)
      : columns_(snapshot.table(Section::nodes).columns.size()),
        edge_counts_(snapshot.find_column(Section::nodes, "edge_count")),
        targets_(snapshot.find_column(Section::edges, "to_node")),
        met_(edge_counts_->count()) {}

  NodeSet run() {
    met_.add(0);
    ChunkValues counts;
    std::uint64_t edge = 0;
    for (std::uint64_t chunk = 0; chunk < edge_counts_->chunk_count(); ++chunk) {
      const std::size_t count = edge_counts_->decode_chunk(chunk, counts);
      for (std::size_t i = 0; i < count; ++i) {
        if (i % mark_rows == 0) marks_.push_back(edge);
        here_ = chunk * chunk_rows + i;
        if (met_.has(here_)) follow(edge, counts[i]);
        edge += counts[i];
        while (!late_.empty()) follow_late();
      }
    }
    return std::move(met_);
  }

 private:
  /// Nodes between two places of edges that are kept.
  static constexpr std::uint64_t mark_rows = 16;

  void meet(std::uint64_t node) {
    if (met_.add(node) && node < here_) late_.push_back(node);
  }

  /// Edges that stand behind all that were followed before.
  void follow(std::uint64_t edge, std::uint64_t count) {
    for (std::uint64_t i = edge; i < edge + count; ++i) {
      if (i / chunk_rows != chunk_) load(i / chunk_rows);
      meet(nodes_[static_cast<std::size_t>(i % chunk_rows)]);
    }
  }

  void follow_late() {
    const std::uint64_t node = late_.back();
    late_.pop_back();
    const std::uint64_t mark = node / mark_rows;
    std::uint64_t edge = marks_[static_cast<std::size_t>(mark)];
    for (std::uint64_t i = mark * mark_rows; i < node; ++i) edge += (*edge_counts_)[i];
    const std::uint64_t end = edge + (*edge_counts_)[node];
    for (; edge < end; ++edge) meet((*targets_)[edge] / columns_);
  }

  /// Makes the targets of a chunk of edges nodes.
  void load(std::uint64_t chunk) {
    chunk_ = chunk;
    const std::size_t count = targets_->decode_chunk(chunk, nodes_);
    const auto columns = static_cast<std::uint32_t>(columns_);
    if (targets_->largest(chunk) >> 32 != 0) {
      for (std::size_t i = 0; i < count; ++i) nodes_[i] /= columns_;
    } else {
      for (std::size_t i = 0; i < count; ++i) nodes_[i] = static_cast<std::uint32_t>(nodes_[i]) / columns;
    }
  }

  static constexpr std::uint64_t no_chunk = static_cast<std::uint64_t>(-1);

  std::uint64_t columns_;
  const ChunkedColumn* edge_counts_;
  const ChunkedColumn* targets_;
  NodeSet met_;
  std::vector<std::uint64_t> marks_;  // the first edge of each mark_rows-th node
  std::vector<std::uint64_t> late_;   // met behind their turn
  std::uint64_t here_ = 0;
  std::uint64_t chunk_ = no_chunk;
  ChunkValues nodes_{};
};

}  // namespace

void check_reachability(const Snapshot& snapshot, core::FindingSink& sink) {
  const format::Table& nodes = snapshot.table(Section::nodes);
  const NodeSet met = Walk(snapshot).run();
  const std::uint64_t count = nodes.row_count() - met.count();
  if (count == 0) return;
  std::uint64_t first = 0;
  while (met.has(first)) ++first;
  sink.report({&rules::nodes_unreachable,
               {format::find_row(nodes, first), std::nullopt, fmt::format("/nodes/{}", first)},
               fmt::format("{} node{} cannot be reached from the root, this is the first", count,
                           count == 1 ? "" : "s")});
}

}  // namespace heapcheck::validation::v8::heapsnapshot
