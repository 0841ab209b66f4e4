#include "analyze/group_sizes.hpp"

#include <numeric>

#include "tests/analyze/graphs.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;
using analyze::Unreached;

namespace {

using Groups = std::vector<std::vector<std::uint32_t>>;
using Sizes = std::vector<std::uint64_t>;

Sizes find_sizes(const Graph& graph, const Groups& groups, const std::vector<std::uint32_t>& held,
                 Unreached unreached) {
  return analyze::find_group_sizes(graph, all_edges(graph),
                                   {.nodes = {groups.begin(), groups.end()}, .held = held}, graph.node_size,
                                   unreached);
}

/// Finds the sizes by the definition, with one more node for each group, to which all edges to its nodes
/// lead: the size of everything that cannot be reached without that node.
Sizes find_sizes_slowly(const EdgeLists& lists, const GraphColumn& sizes, const Groups& groups,
                        const std::vector<std::uint32_t>& held) {
  const auto count = static_cast<std::uint32_t>(lists.size());
  EdgeLists edges = lists;
  for (std::uint32_t group = 0; group < groups.size(); ++group) {
    for (auto& targets : edges) {
      for (std::uint32_t& target : targets) {
        if (std::ranges::find(groups[group], target) != groups[group].end()) target = count + group;
      }
    }
  }
  for (const auto& nodes : groups) edges.push_back(nodes);
  edges[0].insert(edges[0].end(), held.begin(), held.end());
  const Graph graph = make_graph_of(edges);
  const graph::NodeSet reached = find_reached_without(graph, UINT32_MAX);
  Sizes found;
  for (std::uint32_t group = 0; group < groups.size(); ++group) {
    const graph::NodeSet without = find_reached_without(graph, count + group);
    found.push_back(0);
    for (std::uint32_t node = 0; node < count; ++node)
      found.back() += reached.has(node) && !without.has(node) ? sizes[node] : 0;
  }
  return found;
}

/// The nodes that no edge leads to, except the root.
std::vector<std::uint32_t> list_sourceless(const EdgeLists& lists) {
  std::vector<bool> has_source(lists.size());
  for (const auto& targets : lists) {
    for (const std::uint32_t target : targets) has_source[target] = true;
  }
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t node = 1; node < lists.size(); ++node) {
    if (!has_source[node]) nodes.push_back(node);
  }
  return nodes;
}

}  // namespace

TEST_CASE("groups retain what only their nodes lead to", "[analyze][group-sizes]") {
  // Both groups lead to node 5, node 6 is inside the first group, and the root leads to node 7.
  Graph graph = make_graph_of({{1, 2, 3, 7}, {4, 5}, {4}, {5, 7}, {6}, {}, {}, {}});
  graph.node_size = {1, 2, 4, 8, 16, 32, 64, 128};
  CHECK(find_sizes(graph, {{1, 2}, {3}}, {}, Unreached::left_out) == Sizes{2 + 4 + 16 + 64, 8});
  CHECK(find_sizes(graph, {{1, 2}, {3}}, {4}, Unreached::left_out) == Sizes{2 + 4, 8});
}

TEST_CASE("a group retains the groups inside it and what they share", "[analyze][group-sizes]") {
  Graph graph = make_graph_of({{1}, {2, 3}, {4}, {4}, {}});
  graph.node_size = {1, 2, 4, 8, 16};
  CHECK(find_sizes(graph, {{1}, {2}, {3}}, {}, Unreached::left_out) == Sizes{2 + 4 + 8 + 16, 4, 8});
}

TEST_CASE("what groups retain agrees with the definition", "[analyze][group-sizes]") {
  std::mt19937 random(1);
  for (std::uint32_t round = 0; round < 3000; ++round) {
    CAPTURE(round);
    const auto count = static_cast<std::uint32_t>(2 + random() % 24);
    const EdgeLists lists = make_edges(shapes[round % std::size(shapes)], count,
                                       static_cast<std::uint32_t>(random() % (2 * count)), random);
    Graph graph = make_graph_of(lists);
    for (std::uint32_t i = 0; i < graph.node_count(); ++i) graph.node_size.set(i, random() % 100);
    const graph::NodeSet reached = find_reached_without(graph, UINT32_MAX);
    Groups groups(1 + random() % 4);
    std::vector<std::uint32_t> held;
    for (std::uint32_t node = 1; node < count; ++node) {
      const auto choice = static_cast<std::uint32_t>(random() % 12);
      if (choice < groups.size() && reached.has(node)) groups[choice].push_back(node);
      if (choice == 11) held.push_back(node);
    }
    REQUIRE(find_sizes(graph, groups, held, Unreached::left_out) ==
            find_sizes_slowly(lists, graph.node_size, groups, held));
    const auto sourceless = list_sourceless(lists);
    held.insert(held.end(), sourceless.begin(), sourceless.end());
    REQUIRE(find_sizes(graph, groups, held, Unreached::held_by_root) ==
            find_sizes_slowly(lists, graph.node_size, groups, held));
  }
}
