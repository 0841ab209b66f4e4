#include "analyze/growth.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "tests/support/graphs.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

/// A graph without edges whose nodes have these ids.
Graph make_with_ids(GraphColumn ids) {
  Graph graph = make_graph_of(EdgeLists(ids.size()));
  graph.node_id = std::move(ids);
  return graph;
}

std::vector<std::pair<std::uint64_t, std::uint32_t>> list_rows(const analyze::NodesById& nodes) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> rows;
  for (const analyze::NodeById& row : nodes.rows()) rows.emplace_back(row.id, row.node);
  return rows;
}

}  // namespace

TEST_CASE("nodes are in the order of their ids, whatever these are", "[analyze][growth]") {
  std::mt19937_64 random(1);
  // The number of bits that the ids have.
  for (const unsigned bits : {1U, 10U, 11U, 12U, 23U, 44U, 63U, 64U}) {
    GraphColumn ids;
    for (int i = 0; i < 5000; ++i) ids.push_back(random() >> (64 - bits));
    std::vector<std::pair<std::uint64_t, std::uint32_t>> expected;
    for (std::uint32_t node = 0; node < ids.size(); ++node) expected.emplace_back(ids[node], node);
    std::ranges::sort(expected);
    CHECK(list_rows(analyze::NodesById(make_with_ids(ids))) == expected);
  }
}

TEST_CASE("nodes are young if the earlier snapshot has no node with their id", "[analyze][growth]") {
  const analyze::NodesById old(make_with_ids({1, 9, 5, 5}));
  const analyze::NodesById last(make_with_ids({11, 1, 5, 3, 9, 3, 7}));
  const graph::NodeSet young = analyze::find_young_nodes(old, last);
  std::vector<std::uint32_t> found;
  for (std::uint32_t node = 0; node < 7; ++node) {
    if (young.has(node)) found.push_back(node);
  }
  CHECK(found == std::vector<std::uint32_t>{0, 3, 5, 6});
  CHECK(young.count() == 4);
}

TEST_CASE("only the ids of objects, which are odd, show which snapshot is older", "[analyze][growth]") {
  const auto find_doubt = [](GraphColumn first, GraphColumn last) {
    return analyze::find_relation(analyze::NodesById(make_with_ids(std::move(first))),
                                  analyze::NodesById(make_with_ids(std::move(last))))
        .doubt;
  };
  CHECK(find_doubt({1, 3, 5, 70000}, {1, 3, 7, 60000}) == GrowthDoubt::none);
  CHECK(find_doubt({1, 3, 7, 60000}, {1, 3, 5, 70000}) == GrowthDoubt::out_of_order);
  CHECK(find_doubt({2, 4, 6}, {2, 4, 8}) == GrowthDoubt::none);
}
