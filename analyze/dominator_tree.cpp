#include "analyze/dominator_tree.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <queue>
#include <string>
#include <utility>

#include "formats/core/checked.hpp"

namespace heapcheck::analyze {
namespace {

struct Branch {
  std::vector<std::uint32_t> nodes;
  DominatorRow row;
  std::size_t above = 0;
  std::vector<std::size_t> shown = {};  // the branches below this one, largest first
};

/// A branch that has not been shown yet.
struct Waiting {
  std::uint64_t weight;
  std::size_t branch;
  /// If two branches have the same weight, the earlier one comes first.
  friend bool operator<(const Waiting& a, const Waiting& b) {
    return a.weight != b.weight ? a.weight < b.weight : a.branch > b.branch;
  }
};

/// Repeatedly takes the largest known branch and adds the branches below it to the known ones, until there
/// are enough.
class LargestBranches {
 public:
  LargestBranches(const Graph& graph, const DominatedNodes& dominated,
                  std::span<const std::uint64_t> retained, Branches branches, std::uint64_t limit,
                  std::span<const std::uint64_t> edges)
      : graph_(graph),
        dominated_(dominated),
        retained_(retained),
        kind_(branches),
        limit_(limit),
        edges_(edges) {}

  std::vector<DominatorRow> grow(std::uint32_t start) {
    branches_.push_back(make_branch({start}));
    branches_[0].row.name = graph_.node(start).name();
    add_below(0);
    for (std::uint64_t shown = 0; !waiting_.empty() && (limit_ == 0 || shown < limit_); ++shown) {
      const std::size_t branch = waiting_.top().branch;
      waiting_.pop();
      branches_[branches_[branch].above].shown.push_back(branch);
      add_below(branch);
    }
    return list_rows();
  }

  [[nodiscard]] RowCount count(std::uint32_t start) const {
    return kind_ == Branches::nodes ? RowCount{.rows = count_nodes(start)} : count_types(start);
  }

 private:
  /// Each row is one node, so the nodes need not be grouped.
  [[nodiscard]] std::uint64_t count_nodes(std::uint32_t start) const {
    std::uint64_t count = 0;
    for (std::vector<std::uint32_t> waiting{start}; !waiting.empty(); ++count) {
      const auto below = dominated_.of(waiting.back());
      waiting.pop_back();
      waiting.insert(waiting.end(), below.begin(), below.end());
    }
    return count;
  }

  [[nodiscard]] RowCount count_types(std::uint32_t start) const {
    constexpr std::size_t most_nodes = std::size_t{1} << 22U;  // takes about two seconds
    RowCount count;
    std::size_t node_count = 0;
    for (std::vector<std::vector<std::uint32_t>> waiting{{start}}; !waiting.empty(); ++count.rows) {
      const std::vector<std::uint32_t> nodes = std::exchange(waiting.back(), {});
      waiting.pop_back();
      node_count += nodes.size();
      if (node_count > most_nodes) return {.rows = count.rows, .is_complete = false};
      std::ranges::move(split(nodes), std::back_inserter(waiting));
    }
    return count;
  }

  [[nodiscard]] Branch make_branch(std::vector<std::uint32_t> nodes) const {
    const Node first = graph_.node(nodes[0]);
    DominatorRow row{.node = nodes[0],
                     .name = std::string(kind_ == Branches::nodes ? first.name() : branch_name_of(first)),
                     .count = nodes.size()};
    for (const std::uint32_t node : nodes) {
      row.size = core::saturating_add(row.size, graph_.node_size[node]);
      row.retained = core::saturating_add(row.retained, retained_[node]);
    }
    return {.nodes = std::move(nodes), .row = std::move(row)};
  }

  /// The key that nodes in the same row share: the name of their type and the name of the edges to them.
  [[nodiscard]] std::pair<std::string_view, std::string_view> key_of(std::uint32_t node) const {
    const std::string_view type = branch_name_of(graph_.node(node));
    if (edges_.empty()) return {type, {}};
    return {type, general_name_of(Edge(graph_, edges_[node]))};
  }

  /// Whether two nodes have the same kind and name, in which case their keys do not have to be compared.
  [[nodiscard]] bool have_one_type(std::uint32_t a, std::uint32_t b) const {
    if (!edges_.empty() || graph_.node_kind[a] != graph_.node_kind[b]) return false;
    const GraphKind& kind = graph_.node_kinds[graph_.node_kind[a]];
    const bool is_shared = kind.group != NodeGroup::root && !kind.type_name.empty();
    return is_shared || graph_.node_name[a] == graph_.node_name[b];
  }

  /// Leaves out the nodes that cannot be shown, because there are enough larger ones next to them. The root
  /// often dominates most nodes of a heap.
  void keep_largest(std::vector<std::uint32_t>& nodes) const {
    if (limit_ == 0 || nodes.size() <= limit_) return;
    const auto end = nodes.begin() + static_cast<std::ptrdiff_t>(limit_);
    std::ranges::nth_element(nodes, end, [&](std::uint32_t a, std::uint32_t b) {
      return retained_[a] != retained_[b] ? retained_[a] > retained_[b] : a < b;
    });
    nodes.erase(end, nodes.end());
    std::ranges::sort(nodes);
  }

  /// The nodes dominated by the nodes of a branch, divided into the branches below it.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> split(
      const std::vector<std::uint32_t>& branch) const {
    std::vector<std::uint32_t> below;
    for (const std::uint32_t node : branch) {
      const auto nodes = dominated_.of(node);
      below.insert(below.end(), nodes.begin(), nodes.end());
    }
    if (kind_ == Branches::nodes) {
      keep_largest(below);
    } else {
      std::ranges::sort(below, [&](std::uint32_t a, std::uint32_t b) {
        if (have_one_type(a, b)) return a < b;  // decides most comparisons without reading a string
        return std::pair(key_of(a), a) < std::pair(key_of(b), b);
      });
    }
    std::vector<std::vector<std::uint32_t>> parts;
    for (const std::uint32_t node : below) {
      const bool is_new = parts.empty() || kind_ == Branches::nodes ||
                          (!have_one_type(parts.back()[0], node) && key_of(parts.back()[0]) != key_of(node));
      if (is_new) parts.emplace_back();
      parts.back().push_back(node);
    }
    return parts;
  }

  /// Every node of a long list retains a lot of memory, so lists would leave no rows for anything else.
  [[nodiscard]] std::uint64_t find_weight(const DominatorRow& row) const {
    constexpr std::uint64_t common_depth = 16;
    const std::uint64_t times = row.depth / common_depth;
    return kind_ == Branches::outline ? row.retained / (1 + times * times) : row.retained;
  }

  void add_below(std::size_t branch) {
    for (auto& nodes : split(branches_[branch].nodes)) {
      Branch below = make_branch(std::move(nodes));
      below.above = branch;
      below.row.depth = branches_[branch].row.depth + 1;
      waiting_.push({find_weight(below.row), branches_.size()});
      branches_.push_back(std::move(below));
    }
  }

  [[nodiscard]] std::vector<DominatorRow> list_rows() const {
    std::vector<DominatorRow> rows;
    std::vector<std::size_t> next{0};
    while (!next.empty()) {
      const Branch& branch = branches_[next.back()];
      next.pop_back();
      rows.push_back(branch.row);
      next.insert(next.end(), branch.shown.rbegin(), branch.shown.rend());
    }
    return rows;
  }

  const Graph& graph_;
  const DominatedNodes& dominated_;
  std::span<const std::uint64_t> retained_;
  Branches kind_;
  std::uint64_t limit_;
  std::span<const std::uint64_t> edges_;
  std::vector<Branch> branches_;
  std::priority_queue<Waiting> waiting_;
};

}  // namespace

std::string_view branch_name_of(const Node& node) {
  return node.kind().group == NodeGroup::root ? node.name() : node.type_name();
}

std::string_view general_name_of(const Edge& edge) {
  constexpr std::string_view digits = "0123456789";
  const std::string_view name = edge.name();
  const bool is_number = !name.empty() && name.find_first_not_of(digits) == std::string_view::npos;
  return edge.kind().has_index || is_number ? "[]" : name;
}

std::vector<DominatorRow> find_largest_branches(const Graph& graph, const DominatedNodes& dominated,
                                                std::span<const std::uint64_t> retained, std::uint32_t start,
                                                Branches branches, std::uint64_t limit,
                                                std::span<const std::uint64_t> edges) {
  return LargestBranches(graph, dominated, retained, branches, limit, edges).grow(start);
}

RowCount count_branches(const Graph& graph, const DominatedNodes& dominated, std::uint32_t start,
                        Branches branches) {
  return LargestBranches(graph, dominated, {}, branches, 0, {}).count(start);
}

}  // namespace heapcheck::analyze
