#include "analyze/totals.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
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

/// What a row counts: nodes with the same name and place. The first bytes of the name are also stored as a
/// number, which decides most comparisons without reading the name.
struct NamedRow {
  NamedRow(std::string_view text, const SourcePlace* at, std::uint32_t n) : name(text), place(at), number(n) {
    for (std::size_t i = 0; i < sizeof start; ++i)
      start = start << 8U | (i < text.size() ? static_cast<std::uint8_t>(text[i]) : 0U);
  }
  [[nodiscard]] std::strong_ordering compare(const NamedRow& other, const Texts& texts) const {
    if (start != other.start) return start <=> other.start;
    if (const auto order = name <=> other.name; order != 0) return order;
    return compare_places(texts, place, other.place);
  }

  std::uint64_t start = 0;
  std::string_view name;
  const SourcePlace* place;  // null for nodes without a place
  std::uint32_t number;
};

/// Finds the row in which each node is counted: the row for the type name that its whole kind shares, the row
/// for its own name, or the row for its name and place.
class Rows {
 public:
  Rows(const Graph& graph, TopOf of)
      : graph_(graph),
        of_(of),
        by_kind_(graph.node_kinds.size(), no_row),
        by_text_(graph.texts.count(), no_row) {
    for (const GraphKind& kind : graph.node_kinds) sources_.push_back(find_source(kind));
    row_of_.reserve(graph.node_count());
    for (const NodePlace& next : graph.node_places) {
      add_until(next.node);
      row_of_.push_back(find(next.node, &graph.source_places[next.place]));
    }
    add_until(graph.node_count());
    sort_rows();
  }

  /// The row of each node, or no_row if the node is not counted.
  [[nodiscard]] const std::vector<std::uint32_t>& row_of() const { return row_of_; }
  /// One row for each name and place, without totals, sorted by name and then by place.
  [[nodiscard]] std::vector<NodeTotals> take() { return std::move(rows_); }

 private:
  /// Where the row names for the nodes of a kind come from.
  enum class Source : std::uint8_t { none, kind, text };

  [[nodiscard]] Source find_source(const GraphKind& kind) const {
    if (!counts(kind, of_)) return Source::none;
    const bool has_own_names = of_ == TopOf::strings || of_ == TopOf::closures || kind.type_name.empty();
    return of_ == TopOf::kinds || !has_own_names ? Source::kind : Source::text;
  }

  /// Adds the rows of nodes without places, up to `end`.
  void add_until(std::uint32_t end) {
    for (auto node = static_cast<std::uint32_t>(row_of_.size()); node < end; ++node)
      row_of_.push_back(find(node, nullptr));
  }

  /// The number of the node's row, in the order in which the rows are found.
  std::uint32_t find(std::uint32_t node, const SourcePlace* place) {
    const std::uint8_t kind = graph_.node_kind[node];
    const std::uint32_t name = graph_.node_name[node];
    switch (sources_[kind]) {
      case Source::none:
        return no_row;
      case Source::kind:
        return find_or_add(by_kind_[kind], name_of_kind(kind), nullptr);
      case Source::text:
        break;
    }
    if (place == nullptr || !graph_.node_kinds[kind].place_is_of_type)
      return find_or_add(by_text_[name], graph_.texts[name], nullptr);
    const auto index = static_cast<std::uint32_t>(place - graph_.source_places.data());
    std::uint32_t& number = by_place_.try_emplace(std::uint64_t{name} << 32U | index, no_row).first->second;
    return find_or_add(number, graph_.texts[name], place);
  }

  std::uint32_t find_or_add(std::uint32_t& number, std::string_view name, const SourcePlace* place) {
    if (number == no_row) {
      number = static_cast<std::uint32_t>(named_.size());
      named_.emplace_back(name, place, number);
    }
    return number;
  }

  [[nodiscard]] std::string_view name_of_kind(std::size_t kind) const {
    return of_ == TopOf::kinds ? graph_.node_kinds[kind].name : graph_.node_kinds[kind].type_name;
  }

  /// Sorts the rows, and gives equal names and places the same row, because several strings of a graph may be
  /// equal.
  void sort_rows() {
    const Texts& texts = graph_.texts;
    std::ranges::sort(named_, [&](const NamedRow& a, const NamedRow& b) { return a.compare(b, texts) < 0; });
    std::vector<std::uint32_t> sorted(named_.size());
    for (std::size_t i = 0; i < named_.size(); ++i) {
      const NamedRow& named = named_[i];
      if (i == 0 || named.compare(named_[i - 1], texts) != 0) {
        rows_.emplace_back().name = named.name;
        rows_.back().place = place_of(graph_, named.place);
      }
      sorted[named.number] = static_cast<std::uint32_t>(rows_.size() - 1);
    }
    for (std::uint32_t& row : row_of_) row = row == no_row ? no_row : sorted[row];
  }

  const Graph& graph_;
  TopOf of_;
  std::vector<Source> sources_;  ///< of each kind
  // The number of each row, in the order in which the rows were found.
  std::vector<std::uint32_t> by_kind_;
  std::vector<std::uint32_t> by_text_;
  /// Of each name and place: the indices of the text and of the place.
  std::unordered_map<std::uint64_t, std::uint32_t, core::KeyedHash> by_place_;
  std::vector<NamedRow> named_;
  std::vector<std::uint32_t> row_of_;
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

std::vector<NodeTotals> count_top(const Graph& graph, TopOf of, TopBy by, const Retained& retained) {
  Rows numbers(graph, of);
  core::check_stop();
  std::vector<NodeTotals> rows = numbers.take();
  const std::vector<std::uint32_t>& row_of = numbers.row_of();
  for (std::uint32_t node = 0; node < graph.node_count(); ++node) {
    if (row_of[node] != no_row) add_node(rows[row_of[node]], graph.node_size[node]);
  }
  add_retained(row_of, retained, rows);
  return sort_largest_first(std::move(rows), by);
}

std::vector<NodeTotals> sort_largest_first(std::vector<NodeTotals> rows, TopBy by) {
  struct Rank {
    std::uint64_t first, size, count;
    std::uint32_t row;
  };
  // Sorts ranks instead of rows, so that the indices decide between equal ranks without reading the names.
  std::vector<Rank> ranks;
  ranks.reserve(rows.size());
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    const NodeTotals& row = rows[i];
    const std::uint64_t first = by == TopBy::retained ? row.retained
                                : by == TopBy::count  ? row.count
                                                      : row.size;
    ranks.push_back({first, row.size, row.count, i});
  }
  std::ranges::sort(ranks, [](const Rank& a, const Rank& b) {
    return std::tie(b.first, b.size, b.count, a.row) < std::tie(a.first, a.size, a.count, b.row);
  });
  std::vector<NodeTotals> sorted;
  sorted.reserve(rows.size());
  for (const Rank& rank : ranks) sorted.push_back(std::move(rows[rank.row]));
  return sorted;
}

}  // namespace heapcheck::analyze
