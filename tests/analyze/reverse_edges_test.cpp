#include "analyze/reverse_edges.hpp"

#include "tests/analyze/graphs.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

TEST_CASE("the sources of edges are listed by target", "[analyze][reverse-edges]") {
  const Graph graph = make_graph_of({{1, 2, 1}, {2, 1}, {0}});
  const analyze::ReverseEdges sources(graph, all_edges(graph));
  const auto of = [&](std::uint32_t node) {
    return std::vector(sources.sources_of(node).begin(), sources.sources_of(node).end());
  };
  CHECK(of(0) == std::vector<std::uint32_t>{2});
  CHECK(of(1) == std::vector<std::uint32_t>{0, 0, 1});
  CHECK(of(2) == std::vector<std::uint32_t>{0, 1});
}
