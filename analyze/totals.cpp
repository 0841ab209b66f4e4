#include "analyze/totals.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "formats/core/checked.hpp"
#include "formats/core/keyed_hash.hpp"
#include "formats/core/stop.hpp"

namespace heapcheck::analyze {
namespace {

constexpr std::uint32_t no_row = UINT32_MAX;

template <class Row>
void add_node(Row& row, std::uint64_t size) {
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
    case TopOf::closures:
      return kind.name == "closure";
    case TopOf::kinds:
      break;
  }
  return true;
}

/// Whether `a` comes before `b` in the order of file, line and column. A node without a place comes first.
std::strong_ordering compare_places(const Texts& texts, const SourcePlace* a, const SourcePlace* b) {
  if (a == nullptr || b == nullptr) return (a != nullptr) <=> (b != nullptr);
  const auto file = [&](const SourcePlace& place) {
    return place.file == Graph::no_text ? std::string_view() : texts[place.file];
  };
  if (const auto order = file(*a) <=> file(*b); order != 0) return order;
  return std::tie(a->line, a->column) <=> std::tie(b->line, b->column);
}

/// The number of a row and the start of its name as a number, which decides most comparisons without reading
/// the name.
struct RowKey {
  RowKey(std::string_view name, std::uint32_t n) : number(n) {
    for (std::size_t i = 0; i < sizeof start; ++i)
      start = start << 8U | (i < name.size() ? static_cast<std::uint8_t>(name[i]) : 0U);
  }

  std::uint64_t start = 0;
  std::uint32_t number;
};

/// Finds the row in which each node is counted: the row for the type name that its whole kind shares, the row
/// for its own name, or the row for its name and place.
class RowFinder {
 public:
  RowFinder(const Graph& graph, TopOf of)
      : graph_(graph),
        of_(of),
        by_kind_(graph.node_kinds.size(), no_row),
        by_text_(graph.texts.count(), no_row),
        number_of_(graph.node_count(), no_row) {
    for (const GraphKind& kind : graph.node_kinds) sources_.push_back(find_source(kind));
    std::uint32_t first = 0;
    for (const NodePlace& next : graph.node_places) {
      add_range(first, next.node);
      add(next.node, &graph.source_places[next.place]);
      first = next.node + 1;
    }
    add_range(first, graph.node_count());
    sort_rows();
  }

  /// The row of a node, or no_row if the node is not counted.
  [[nodiscard]] std::uint32_t row_of(std::uint32_t node) const {
    return number_of_[node] == no_row ? no_row : new_index_[number_of_[node]];
  }
  /// One row for each name and place, without retained sizes, sorted by name and then by place.
  [[nodiscard]] std::vector<TopRow> take() { return std::move(rows_); }

 private:
  /// Where the row names for the nodes of a kind come from.
  enum class Source : std::uint8_t { none, kind, text };

  [[nodiscard]] Source find_source(const GraphKind& kind) const {
    if (!counts(kind, of_)) return Source::none;
    const bool has_own_names = of_ == TopOf::strings || of_ == TopOf::closures || kind.type_name.empty();
    return of_ == TopOf::kinds || !has_own_names ? Source::kind : Source::text;
  }

  /// Counts nodes without places.
  void add_range(std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t node = begin; node < end; ++node) add(node, nullptr);
  }

  void add(std::uint32_t node, const SourcePlace* place) {
    const std::uint8_t kind = graph_.node_kind[node];
    if (sources_[kind] == Source::none) return;
    const std::uint32_t number = sources_[kind] == Source::kind
                                     ? find_or_add(by_kind_[kind], name_of_kind(kind), nullptr)
                                     : find_own(node, graph_.node_kinds[kind], place);
    number_of_[node] = number;
    add_node(rows_[number], graph_.node_size[node]);
  }

  /// The number of the row for a node's own name, in the order in which the rows are found.
  std::uint32_t find_own(std::uint32_t node, const GraphKind& kind, const SourcePlace* place) {
    const std::uint32_t name = graph_.node_name[node];
    if (place == nullptr || !kind.place_is_of_type)
      return find_or_add(by_text_[name], graph_.texts[name], nullptr);
    const auto index = static_cast<std::uint32_t>(place - graph_.source_places.data());
    std::uint32_t& number = by_place_.try_emplace(std::uint64_t{name} << 32U | index, no_row).first->second;
    return find_or_add(number, graph_.texts[name], place);
  }

  std::uint32_t find_or_add(std::uint32_t& number, std::string_view name, const SourcePlace* place) {
    if (number == no_row) {
      number = static_cast<std::uint32_t>(rows_.size());
      rows_.push_back({.name = name, .place = place});
    }
    return number;
  }

  [[nodiscard]] std::string_view name_of_kind(std::size_t kind) const {
    return of_ == TopOf::kinds ? graph_.node_kinds[kind].name : graph_.node_kinds[kind].type_name;
  }

  [[nodiscard]] std::strong_ordering compare(const RowKey& a, const RowKey& b) const {
    if (a.start != b.start) return a.start <=> b.start;
    const TopRow& row = rows_[a.number];
    const TopRow& other = rows_[b.number];
    if (const auto order = row.name <=> other.name; order != 0) return order;
    return compare_places(graph_.texts, row.place, other.place);
  }

  /// Sorts the rows, and joins those with equal names and places, because several strings of a graph may be
  /// equal.
  void sort_rows() {
    std::vector<RowKey> named;
    named.reserve(rows_.size());
    for (std::uint32_t i = 0; i < rows_.size(); ++i) named.emplace_back(rows_[i].name, i);
    std::ranges::sort(named, [&](const RowKey& a, const RowKey& b) { return compare(a, b) < 0; });
    std::vector<TopRow> sorted;
    sorted.reserve(rows_.size());
    new_index_.resize(rows_.size());
    for (std::size_t i = 0; i < named.size(); ++i) {
      const TopRow& row = rows_[named[i].number];
      if (i == 0 || compare(named[i], named[i - 1]) != 0) {
        sorted.push_back(row);
      } else {
        sorted.back().count += row.count;
        sorted.back().size = core::saturating_add(sorted.back().size, row.size);
      }
      new_index_[named[i].number] = static_cast<std::uint32_t>(sorted.size() - 1);
    }
    rows_ = std::move(sorted);
  }

  const Graph& graph_;
  TopOf of_;
  std::vector<Source> sources_;  ///< of each kind
  // The number of each row, in the order in which the rows were found.
  std::vector<std::uint32_t> by_kind_;
  std::vector<std::uint32_t> by_text_;
  /// Of each name and place: the indices of the text and of the place.
  std::unordered_map<std::uint64_t, std::uint32_t, core::KeyedHash> by_place_;
  std::vector<std::uint32_t> number_of_;  ///< the number of each node's row, as above
  std::vector<std::uint32_t> new_index_;  ///< the index of each row after sorting
  std::vector<TopRow> rows_;
};

/// Adds the retained size of each node to its row, unless a node in the same row dominates it. To do so,
/// skips the nodes dominated by the last node that was counted in each row.
void add_retained(const RowFinder& finder, const Retained& retained, std::vector<TopRow>& rows) {
  const Preorder& order = retained.order;
  std::vector<std::uint32_t> end(
      rows.size());  // the end of the nodes dominated by the last node that counted
  for (std::uint32_t place = 0; place < order.nodes.size(); ++place) {
    const std::uint32_t node = order.nodes[place];
    const std::uint32_t row = finder.row_of(node);
    if (row == no_row || place < end[row]) continue;
    end[row] = order.end[place];
    rows[row].retained = core::saturating_add(rows[row].retained, retained.sizes[node]);
  }
}

std::vector<TopRow> count_rows(const Graph& graph, TopOf of, const Retained& retained) {
  RowFinder finder(graph, of);
  core::check_stop();
  std::vector<TopRow> rows = finder.take();
  add_retained(finder, retained, rows);
  return rows;
}

}  // namespace

Place place_of(const Graph& graph, const SourcePlace* place) {
  if (place == nullptr) return {};
  const bool has_file = place->file != Graph::no_text;
  return {.file = has_file ? std::string(graph.texts[place->file]) : std::string(),
          .line = place->line,
          .column = place->column};
}

Place place_of(const Graph& graph, std::uint32_t first, std::uint64_t count) {
  const GraphKind& kind = graph.node(first).kind();
  const bool is_of_type = kind.place_is_of_type && kind.type_name.empty();
  return count == 1 || is_of_type ? place_of(graph, graph.node(first).place()) : Place();
}

std::vector<NodeTotals> count_kinds(const Graph& graph) {
  std::vector<NodeTotals> rows(graph.node_kinds.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].name = graph.node_kinds[i].name;
  for (std::uint32_t i = 0; i < graph.node_count(); ++i)
    add_node(rows[graph.node_kind[i]], graph.node_size[i]);
  std::erase_if(rows, [](const NodeTotals& row) { return row.count == 0; });
  return rows;
}

TopRows::TopRows(const Graph& graph, TopOf of, TopBy by, const Retained& retained)
    : rows_(count_rows(graph, of, retained)), ranks_(make_ranks(rows_, by)) {}

std::vector<NodeTotals> count_top(const Graph& graph, TopOf of, TopBy by, const Retained& retained) {
  TopRows rows(graph, of, by, retained);
  std::vector<NodeTotals> totals;
  totals.reserve(rows.count());
  for (std::size_t i = 0; i < rows.count(); ++i) {
    const TopRow& row = rows.at(i);
    totals.push_back({.name = std::string(row.name),
                      .count = row.count,
                      .size = row.size,
                      .retained = row.retained,
                      .place = place_of(graph, row.place)});
  }
  return totals;
}

std::vector<NodeTotals> sort_largest_first(std::vector<NodeTotals> rows, TopBy by) {
  std::vector<Rank> ranks = make_ranks(rows, by);
  std::ranges::sort(ranks, std::less());
  std::vector<NodeTotals> sorted;
  sorted.reserve(rows.size());
  for (const Rank& rank : ranks) sorted.push_back(std::move(rows[rank.index]));
  return sorted;
}

}  // namespace heapcheck::analyze
