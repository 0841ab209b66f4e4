#include "analyze/suspects.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "analyze/recent_types.hpp"
#include "formats/core/checked.hpp"
#include "graph/v8_nodes.hpp"

namespace heapcheck::analyze {
namespace {

/// If a type occurs at least this often on the way down, its first node is the first node of a chain.
constexpr std::uint64_t least_chain = 8;

/// Nodes that are dominated by a node or only by roots.
struct Holding {
  std::optional<std::uint32_t> holder;
  std::vector<std::uint32_t> nodes;
};

/// What the nodes of a group have in common: the name of the type, the kind (so that objects and their types
/// count as different types) and, for functions, the file, line and column.
using GroupKey = std::tuple<std::string_view, std::uint8_t, std::uint32_t, std::uint32_t, std::uint32_t>;

GroupKey make_key(const Graph& graph, std::uint32_t index) {
  const Node node = graph.node(index);
  const SourcePlace* const place = graph::is_closure(node) ? node.place() : nullptr;
  const SourcePlace at = place == nullptr ? SourcePlace{} : *place;
  return {find_group_name(node), graph.node_kind[index], at.file, at.line, at.column};
}

/// Nodes of one type, and what they retain together.
struct Sum {
  std::uint64_t bytes = 0;
  std::vector<std::uint32_t> nodes;
};

class Search {
 public:
  Search(const Graph& graph, const RetainedTree& retained, const SuspectOptions& options,
         GroupDetails details)
      : graph_(graph),
        retained_(retained),
        options_(options),
        details_(details),
        least_(options.least_share * static_cast<double>(retained.sizes[0])) {}

  std::vector<Suspect> run() {
    places_.push_back({std::nullopt, find_top_nodes(graph_, retained_.dominated)});
    while (!places_.empty()) {
      const Holding place = std::move(places_.back());
      places_.pop_back();
      look_at(place);
    }
    std::ranges::sort(suspects_, [](const Suspect& a, const Suspect& b) {
      return a.retained != b.retained ? a.retained > b.retained : a.nodes[0] < b.nodes[0];
    });
    return std::move(suspects_);
  }

 private:
  [[nodiscard]] std::uint64_t size_of(std::uint32_t node) const { return retained_.sizes[node]; }
  [[nodiscard]] bool is_large(std::uint64_t bytes) const {
    return bytes != 0 && static_cast<double>(bytes) >= least_;
  }

  /// Finds the nodes that retain a lot of memory at a place, and searches inside large nodes. If there is
  /// nothing large, the holder of the place is a suspect.
  void look_at(const Holding& place) {
    std::vector<std::uint32_t> rest;
    bool has_large = false;
    for (const std::uint32_t node : place.nodes) {
      if (is_large(size_of(node))) {
        has_large = true;
        go_down(node);
      } else if (size_of(node) != 0) {
        rest.push_back(node);
      }
    }
    const bool has_groups = add_groups(place.holder, rest);
    if (!has_large && !has_groups && place.holder) add(*place.holder, 0);
  }

  /// Goes down to the place where memory accumulates, or to the first node of a chain.
  void go_down(std::uint32_t node) {
    std::vector<std::uint32_t> way{node};
    while (const auto next = find_next(way.back())) way.push_back(*next);
    if (const auto chain = find_chain(way)) return add(chain->first, chain->second);
    const auto below = retained_.dominated.of(way.back());
    places_.push_back({way.back(), {below.begin(), below.end()}});
  }

  /// The node that retains most of the memory that `node` retains.
  [[nodiscard]] std::optional<std::uint32_t> find_next(std::uint32_t node) const {
    const auto below = retained_.dominated.of(node);
    const auto largest = std::ranges::max_element(below, {}, [&](std::uint32_t n) { return size_of(n); });
    if (largest == below.end()) return std::nullopt;
    const double least = options_.least_drop * static_cast<double>(size_of(node));
    if (static_cast<double>(size_of(*largest)) < least || !is_large(size_of(*largest))) return std::nullopt;
    return *largest;
  }

  /// The first node of the most frequent type on the way, and how often this type occurs, if the occurrences
  /// form a chain.
  [[nodiscard]] std::optional<std::pair<std::uint32_t, std::uint64_t>> find_chain(
      const std::vector<std::uint32_t>& way) const {
    std::map<std::string_view, std::pair<std::uint32_t, std::uint64_t>> types;
    for (const std::uint32_t node : way) {
      const std::string_view name = find_group_name(graph_.node(node));
      // V8 nests the contexts of functions as the source code nests the functions, so they do not form a
      // list.
      if (graph::is_context_name(name)) continue;
      auto& [first, count] = types.try_emplace(name, node, 0).first->second;
      ++count;
    }
    const auto most =
        std::ranges::max_element(types, {}, [](const auto& type) { return type.second.second; });
    if (most == types.end() || most->second.second < least_chain) return std::nullopt;
    const std::uint32_t first = most->second.first;
    return std::pair(first, count_chain(first));
  }

  /// The number of nodes of one type from the first one down. Towards the end of a chain, nodes are not
  /// large.
  [[nodiscard]] std::uint64_t count_chain(std::uint32_t first) const {
    const std::string_view name = find_group_name(graph_.node(first));
    std::uint64_t count = 0;
    for (std::uint32_t node = first;;) {
      if (find_group_name(graph_.node(node)) == name) ++count;
      const auto below = retained_.dominated.of(node);
      const auto largest = std::ranges::max_element(below, {}, [&](std::uint32_t n) { return size_of(n); });
      if (largest == below.end() || size_of(*largest) == 0) return count;
      node = *largest;
    }
  }

  /// Adds the types whose nodes together retain a lot of memory. Returns whether there are any.
  bool add_groups(std::optional<std::uint32_t> holder, const std::vector<std::uint32_t>& nodes) {
    const std::size_t before = suspects_.size();
    for (auto& [key, group] : find_groups(nodes)) add_group(holder, std::move(group));
    return suspects_.size() != before;
  }

  [[nodiscard]] std::map<GroupKey, std::vector<std::uint32_t>> find_groups(
      const std::vector<std::uint32_t>& nodes) const {
    std::map<GroupKey, std::vector<std::uint32_t>> groups;
    RecentTypes<std::vector<std::uint32_t>*> recent(graph_);
    for (const std::uint32_t node : nodes) {
      const auto find = [&] { return &groups[make_key(graph_, node)]; };
      const bool has_place = graph::is_closure(graph_.node(node));
      (has_place ? find() : recent.find(node, find))->push_back(node);
    }
    return groups;
  }

  void add_group(std::optional<std::uint32_t> holder, std::vector<std::uint32_t> nodes) {
    std::uint64_t bytes = 0;
    for (const std::uint32_t node : nodes) bytes = core::saturating_add(bytes, size_of(node));
    if (!is_large(bytes)) return;
    std::vector<std::string> contents;
    if (details_ == GroupDetails::found) {
      sort_largest_first(retained_.sizes, nodes);
      contents = find_contents(graph_, retained_, nodes, options_.least_drop);
    }
    add({.nodes = std::move(nodes), .holder = holder, .retained = bytes, .contents = std::move(contents)});
  }

  void add(std::uint32_t node, std::uint64_t chain) {
    add({.nodes = {node}, .chain = chain, .retained = size_of(node)});
  }

  void add(Suspect suspect) {
    suspect.type = find_group_name(graph_.node(suspect.nodes[0]));
    suspect.share = static_cast<double>(suspect.retained) / static_cast<double>(retained_.sizes[0]);
    suspects_.push_back(std::move(suspect));
  }

  const Graph& graph_;
  const RetainedTree& retained_;
  SuspectOptions options_;
  GroupDetails details_;
  double least_ = 0;
  std::vector<Holding> places_;
  std::vector<Suspect> suspects_;
};

}  // namespace

std::vector<std::uint32_t> find_top_nodes(const Graph& graph, const DominatedNodes& dominated) {
  std::vector<std::uint32_t> top;
  std::vector<std::uint32_t> roots{0};
  while (!roots.empty()) {
    const std::uint32_t root = roots.back();
    roots.pop_back();
    for (const std::uint32_t node : dominated.of(root)) {
      const bool is_root = graph.node(node).kind().group == NodeGroup::root;
      (is_root ? roots : top).push_back(node);
    }
  }
  std::ranges::sort(top);
  return top;
}

void sort_largest_first(std::span<const std::uint64_t> sizes, std::vector<std::uint32_t>& nodes) {
  std::ranges::sort(nodes, [&](std::uint32_t a, std::uint32_t b) {
    return sizes[a] != sizes[b] ? sizes[a] > sizes[b] : a < b;
  });
}

std::string_view find_group_name(const Node& node) {
  const bool has_own = node.kind().group != NodeGroup::string && !node.name().empty();
  return has_own ? node.name() : node.type_name();
}

std::vector<std::string> find_contents(const Graph& graph, const RetainedTree& retained,
                                       std::vector<std::uint32_t> nodes, double least_drop) {
  constexpr std::size_t most_types = 3;
  std::vector<std::string> contents;
  while (contents.size() < most_types) {
    std::map<std::string_view, Sum> types;
    RecentTypes<Sum*> recent(graph);
    std::uint64_t all = 0;
    for (const std::uint32_t node : nodes) {
      all = core::saturating_add(all, retained.sizes[node]);
      for (const std::uint32_t below : retained.dominated.of(node)) {
        auto& [bytes, same] = *recent.find(below, [&] { return &types[find_group_name(graph.node(below))]; });
        bytes = core::saturating_add(bytes, retained.sizes[below]);
        same.push_back(below);
      }
    }
    const auto most = std::ranges::max_element(types, {}, [](const auto& type) { return type.second.bytes; });
    // Compares with the total that the nodes retain and not with their other contents, because nodes that are
    // large themselves have no contents worth mentioning.
    const double least = least_drop * static_cast<double>(all);
    if (most == types.end() || static_cast<double>(most->second.bytes) < least) break;
    contents.emplace_back(most->first);
    nodes = std::move(most->second.nodes);
  }
  return contents;
}

std::string_view name_of(SuspectOwner owner) {
  return owner == SuspectOwner::program ? "program" : "runtime";
}

std::vector<Suspect> find_suspects(const Graph& graph, const RetainedTree& retained,
                                   const SuspectOptions& options, GroupDetails details) {
  if (graph.node_count() == 0) return {};
  return Search(graph, retained, options, details).run();
}

}  // namespace heapcheck::analyze
