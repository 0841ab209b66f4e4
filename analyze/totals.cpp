#include "analyze/totals.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>

namespace heapcheck::analyze {
namespace {

struct Total {
  std::uint64_t count = 0;
  std::uint64_t size = 0;

  void add(std::uint64_t bytes) {
    ++count;
    size = size + bytes < size ? UINT64_MAX : size + bytes;
  }
};

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

void append(std::vector<NodeTotals>& rows, std::string_view name, const Total& total) {
  if (total.count != 0) rows.push_back({std::string(name), total.count, total.size});
}

/// One row for each name: several strings of a graph may be equal.
void merge_equal_names(std::vector<NodeTotals>& rows) {
  std::ranges::sort(rows, {}, &NodeTotals::name);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i != 0 && rows[i].name == rows[kept - 1].name) {
      rows[kept - 1].count += rows[i].count;
      rows[kept - 1].size += rows[i].size;
    } else {
      if (kept != i) rows[kept] = std::move(rows[i]);
      ++kept;
    }
  }
  rows.resize(kept);
}

/// The totals by the type name that a whole kind shares, and by the names of the other nodes.
std::vector<NodeTotals> count_names(const Graph& graph, TopOf of) {
  std::vector<Total> by_kind(graph.node_kinds.size());
  std::vector<Total> by_text(graph.texts.count());
  for (const Node& node : graph.nodes()) {
    const GraphKind& kind = node.kind();
    if (!counts(kind, of)) continue;
    const bool is_shared = of != TopOf::strings && !kind.type_name.empty();
    Total& total =
        is_shared ? by_kind[graph.node_kind[node.index()]] : by_text[graph.node_name[node.index()]];
    total.add(node.size());
  }
  std::vector<NodeTotals> rows;
  for (std::size_t i = 0; i < by_kind.size(); ++i) append(rows, graph.node_kinds[i].type_name, by_kind[i]);
  for (std::size_t i = 0; i < by_text.size(); ++i) append(rows, graph.texts[i], by_text[i]);
  return rows;
}

}  // namespace

std::vector<NodeTotals> count_kinds(const Graph& graph) {
  std::vector<Total> totals(graph.node_kinds.size());
  for (std::uint32_t i = 0; i < graph.node_count(); ++i) totals[graph.node_kind[i]].add(graph.node_size[i]);
  std::vector<NodeTotals> rows;
  for (std::size_t i = 0; i < totals.size(); ++i) append(rows, graph.node_kinds[i].name, totals[i]);
  return rows;
}

std::vector<NodeTotals> count_top(const Graph& graph, TopOf of, TopBy by) {
  std::vector<NodeTotals> rows = of == TopOf::kinds ? count_kinds(graph) : count_names(graph, of);
  merge_equal_names(rows);
  std::ranges::sort(rows, [by](const NodeTotals& a, const NodeTotals& b) {
    return by == TopBy::size ? std::tie(b.size, b.count, a.name) < std::tie(a.size, a.count, b.name)
                             : std::tie(b.count, b.size, a.name) < std::tie(a.count, a.size, b.name);
  });
  return rows;
}

}  // namespace heapcheck::analyze
