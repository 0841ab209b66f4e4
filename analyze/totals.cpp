#include "analyze/totals.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "formats/core/checked.hpp"

namespace heapcheck::analyze {
namespace {

constexpr std::uint32_t no_row = UINT32_MAX;

void add_node(NodeTotals& row, std::uint64_t size) {
  ++row.count;
  row.size = core::saturating_add(row.size, size);
}

bool counts(const GraphKind& kind, TopOf of) {
  switch (of) {
    case TopOf::objects:
      return kind.group == NodeGroup::object;
    case TopOf::types:
      return kind.group == NodeGroup::type_object;
    case TopOf::stables:
      return kind.group == NodeGroup::stable;
    case TopOf::frames:
      return kind.group == NodeGroup::frame;
    case TopOf::strings:
      return kind.group == NodeGroup::string;
    case TopOf::kinds:
      break;
  }
  return true;
}

/// Which row each node counts in: that of the type name that its whole kind shares, or of its own name.
class Rows {
 public:
  Rows(const Graph& graph, TopOf of)
      : graph_(graph),
        of_(of),
        by_kind_(graph.node_kinds.size(), no_row),
        by_text_(graph.texts.count(), no_row) {
    for (std::uint32_t node = 0; node < graph.node_count(); ++node) {
      if (std::uint32_t* row = find(node)) *row = 0;
    }
    number_names();
  }

  /// The row of a node; no_row if it does not count.
  [[nodiscard]] std::uint32_t row_of(std::uint32_t node) {
    const std::uint32_t* row = find(node);
    return row == nullptr ? no_row : *row;
  }
  /// One row for each name, without totals.
  [[nodiscard]] std::vector<NodeTotals> take() { return std::move(rows_); }

 private:
  std::uint32_t* find(std::uint32_t node) {
    const std::uint8_t kind = graph_.node_kind[node];
    if (!counts(graph_.node_kinds[kind], of_)) return nullptr;
    const bool is_shared = of_ != TopOf::strings && !graph_.node_kinds[kind].type_name.empty();
    return of_ == TopOf::kinds || is_shared ? &by_kind_[kind] : &by_text_[graph_.node_name[node]];
  }

  [[nodiscard]] std::string_view name_of_kind(std::size_t kind) const {
    return of_ == TopOf::kinds ? graph_.node_kinds[kind].name : graph_.node_kinds[kind].type_name;
  }

  /// Gives equal names the same row: several strings of a graph may be equal.
  void number_names() {
    std::vector<std::pair<std::string_view, std::uint32_t*>> names;
    for (std::size_t i = 0; i < by_kind_.size(); ++i) {
      if (by_kind_[i] != no_row) names.emplace_back(name_of_kind(i), &by_kind_[i]);
    }
    for (std::size_t i = 0; i < by_text_.size(); ++i) {
      if (by_text_[i] != no_row) names.emplace_back(graph_.texts[i], &by_text_[i]);
    }
    std::ranges::sort(names);
    for (const auto& [name, row] : names) {
      if (rows_.empty() || rows_.back().name != name) rows_.push_back({.name = std::string(name)});
      *row = static_cast<std::uint32_t>(rows_.size() - 1);
    }
  }

  const Graph& graph_;
  TopOf of_;
  std::vector<std::uint32_t> by_kind_;
  std::vector<std::uint32_t> by_text_;
  std::vector<NodeTotals> rows_;
};

/// Adds the retained size of each node to its row, unless a node of the same row dominates it: walks down the
/// dominator tree, and counts for each row the nodes on the way.
void add_retained(Rows& numbers, const Retained& retained, std::vector<NodeTotals>& rows) {
  struct Step {
    std::uint32_t node;
    bool is_done;
  };
  if (retained.sizes.empty()) return;
  std::vector<std::uint32_t> open(rows.size());
  std::vector<Step> steps{{0, false}};
  while (!steps.empty()) {
    const auto [node, is_done] = steps.back();
    const std::uint32_t row = numbers.row_of(node);
    if (is_done) {
      steps.pop_back();
      if (row != no_row) --open[row];
      continue;
    }
    steps.back().is_done = true;
    if (row != no_row && open[row]++ == 0)
      rows[row].retained = core::saturating_add(rows[row].retained, retained.sizes[node]);
    for (const std::uint32_t child : retained.dominated.of(node)) steps.push_back({child, false});
  }
}

auto order_of(const NodeTotals& row, TopBy by) {
  const std::uint64_t first = by == TopBy::count      ? row.count
                              : by == TopBy::retained ? row.retained
                                                      : row.size;
  return std::tuple(first, row.size, row.count);
}

}  // namespace

std::vector<NodeTotals> count_kinds(const Graph& graph) {
  std::vector<NodeTotals> rows(graph.node_kinds.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].name = graph.node_kinds[i].name;
  for (std::uint32_t i = 0; i < graph.node_count(); ++i)
    add_node(rows[graph.node_kind[i]], graph.node_size[i]);
  std::erase_if(rows, [](const NodeTotals& row) { return row.count == 0; });
  return rows;
}

std::vector<NodeTotals> count_top(const Graph& graph, TopOf of, TopBy by, const Retained& retained) {
  Rows numbers(graph, of);
  std::vector<NodeTotals> rows = numbers.take();
  for (std::uint32_t node = 0; node < graph.node_count(); ++node) {
    const std::uint32_t row = numbers.row_of(node);
    if (row != no_row) add_node(rows[row], graph.node_size[node]);
  }
  add_retained(numbers, retained, rows);
  std::ranges::sort(rows, [by](const NodeTotals& a, const NodeTotals& b) {
    const auto [left, right] = std::pair(order_of(a, by), order_of(b, by));
    return left == right ? a.name < b.name : left > right;
  });
  return rows;
}

}  // namespace heapcheck::analyze
