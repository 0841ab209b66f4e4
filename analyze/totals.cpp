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

/// A name and the place of its row. Compares the first bytes as a number, which decides most comparisons
/// without reading the name.
struct NamedRow {
  NamedRow(std::string_view text, std::uint32_t& place) : name(text), row(&place) {
    for (std::size_t i = 0; i < sizeof start; ++i)
      start = start << 8U | (i < text.size() ? static_cast<std::uint8_t>(text[i]) : 0U);
  }
  friend bool operator<(const NamedRow& a, const NamedRow& b) {
    return a.start != b.start ? a.start < b.start : a.name < b.name;
  }

  std::uint64_t start = 0;
  std::string_view name;
  std::uint32_t* row;
};

/// Finds the row in which each node is counted: the row for the type name that its whole kind shares, or the
/// row for its own name.
class Rows {
 public:
  Rows(const Graph& graph, TopOf of)
      : graph_(graph),
        of_(of),
        by_kind_(graph.node_kinds.size(), no_row),
        by_text_(graph.texts.count(), no_row) {
    for (const GraphKind& kind : graph.node_kinds) sources_.push_back(find_source(kind));
    for (std::uint32_t node = 0; node < graph.node_count(); ++node) {
      if (std::uint32_t* row = find(node)) *row = 0;
    }
    number_names();
  }

  /// The row of a node, or no_row if the node is not counted.
  [[nodiscard]] std::uint32_t row_of(std::uint32_t node) {
    const std::uint32_t* row = find(node);
    return row == nullptr ? no_row : *row;
  }
  /// One row for each name, without totals.
  [[nodiscard]] std::vector<NodeTotals> take() { return std::move(rows_); }

 private:
  /// Where the row names for the nodes of a kind come from.
  enum class Source : std::uint8_t { none, kind, text };

  [[nodiscard]] Source find_source(const GraphKind& kind) const {
    if (!counts(kind, of_)) return Source::none;
    const bool is_shared = of_ != TopOf::strings && !kind.type_name.empty();
    return of_ == TopOf::kinds || is_shared ? Source::kind : Source::text;
  }

  std::uint32_t* find(std::uint32_t node) {
    const std::uint8_t kind = graph_.node_kind[node];
    if (sources_[kind] == Source::none) return nullptr;
    return sources_[kind] == Source::kind ? &by_kind_[kind] : &by_text_[graph_.node_name[node]];
  }

  [[nodiscard]] std::string_view name_of_kind(std::size_t kind) const {
    return of_ == TopOf::kinds ? graph_.node_kinds[kind].name : graph_.node_kinds[kind].type_name;
  }

  /// Gives equal names the same row, because several strings of a graph may be equal.
  void number_names() {
    std::vector<NamedRow> names;
    for (std::size_t i = 0; i < by_kind_.size(); ++i) {
      if (by_kind_[i] != no_row) names.emplace_back(name_of_kind(i), by_kind_[i]);
    }
    for (std::size_t i = 0; i < by_text_.size(); ++i) {
      if (by_text_[i] != no_row) names.emplace_back(graph_.texts[i], by_text_[i]);
    }
    std::sort(names.begin(), names.end());
    rows_.reserve(names.size());
    for (const NamedRow& named : names) {
      if (rows_.empty() || rows_.back().name != named.name)
        rows_.push_back({.name = std::string(named.name)});
      *named.row = static_cast<std::uint32_t>(rows_.size() - 1);
    }
  }

  const Graph& graph_;
  TopOf of_;
  std::vector<Source> sources_;  ///< of each kind
  std::vector<std::uint32_t> by_kind_;
  std::vector<std::uint32_t> by_text_;
  std::vector<NodeTotals> rows_;
};

/// Adds the retained size of each node to its row, unless a node in the same row dominates it. To do so,
/// skips the nodes dominated by the last node that was counted in each row.
void add_retained(const std::vector<std::uint32_t>& row_of, const Retained& retained,
                  std::vector<NodeTotals>& rows) {
  const Preorder& order = retained.order;
  std::vector<std::uint32_t> end(
      rows.size());  // the end of the nodes dominated by the last node that counted
  for (std::uint32_t place = 0; place < order.nodes.size(); ++place) {
    const std::uint32_t node = order.nodes[place];
    const std::uint32_t row = row_of[node];
    if (row == no_row || place < end[row]) continue;
    end[row] = order.end[place];
    rows[row].retained = core::saturating_add(rows[row].retained, retained.sizes[node]);
  }
}

struct String {
  std::string_view text;
  std::uint64_t size;
  auto operator<=>(const String&) const = default;
};

/// All strings of the graph, with equal strings next to each other.
std::vector<String> sort_strings(const Graph& graph) {
  std::vector<String> strings;
  for (const Node& node : graph.nodes()) {
    const GraphKind& kind = node.kind();
    if (kind.group == NodeGroup::string && kind.has_contents) strings.push_back({node.name(), node.size()});
  }
  std::ranges::sort(strings);
  return strings;
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
  std::vector<std::uint32_t> row_of(graph.node_count());
  for (std::uint32_t node = 0; node < graph.node_count(); ++node) {
    const std::uint32_t row = row_of[node] = numbers.row_of(node);
    if (row != no_row) add_node(rows[row], graph.node_size[node]);
  }
  add_retained(row_of, retained, rows);
  return sort_largest_first(std::move(rows), by);
}

std::vector<NodeTotals> sort_largest_first(std::vector<NodeTotals> rows, TopBy by) {
  struct Place {
    std::uint64_t first, size, count;
    std::uint32_t row;
  };
  // Sorts places instead of rows, so that the indices decide between equal places without reading the names.
  std::vector<Place> places;
  places.reserve(rows.size());
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    const NodeTotals& row = rows[i];
    const std::uint64_t first = by == TopBy::retained ? row.retained
                                : by == TopBy::count  ? row.count
                                                      : row.size;
    places.push_back({first, row.size, row.count, i});
  }
  std::ranges::sort(places, [](const Place& a, const Place& b) {
    return std::tie(b.first, b.size, b.count, a.row) < std::tie(a.first, a.size, a.count, b.row);
  });
  std::vector<NodeTotals> sorted;
  sorted.reserve(rows.size());
  for (const Place& place : places) sorted.push_back(std::move(rows[place.row]));
  return sorted;
}

std::vector<DuplicateStrings> find_duplicates(const Graph& graph) {
  std::vector<DuplicateStrings> found;
  const std::vector<String> strings = sort_strings(graph);
  for (auto first = strings.begin(); first != strings.end();) {
    const auto end = std::find_if(first, strings.end(), [&](const String& s) { return s != *first; });
    const auto count = static_cast<std::uint64_t>(end - first);
    const std::uint64_t wasted = core::checked_multiply(first->size, count - 1).value_or(UINT64_MAX);
    if (count > 1)
      found.push_back({std::string(first->text), count, core::saturating_add(wasted, first->size), wasted});
    first = end;
  }
  std::ranges::sort(found, [](const DuplicateStrings& a, const DuplicateStrings& b) {
    return std::tie(b.wasted, b.count, a.text) < std::tie(a.wasted, a.count, b.text);
  });
  return found;
}

}  // namespace heapcheck::analyze
