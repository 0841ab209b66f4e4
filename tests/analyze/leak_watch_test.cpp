#include "analyze/answers/leak_watch.hpp"

#include <memory>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/v8_program.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;
using analyze::answers::AskedHeap;
using analyze::answers::GrowingLeak;

namespace {

/// A snapshot without ids in which the program's map holds `count` jobs. If `is_in_use`, the map has another
/// holder, from which a shorter path leads to it.
AskedHeap take(int count, bool is_in_use = false) {
  Program program;
  const std::uint32_t map = program.add(4, "property", "jobs", "Map", 10);
  const std::uint32_t table = program.add(map, "internal", "table", "Table", 10);
  for (int i = 0; i < count; ++i) program.add(table, "element", std::to_string(i), "Job", 100);
  if (is_in_use) program.edges.push_back({1, "property", "current", map});
  Graph graph = make_v8_graph(program.nodes, program.edges);
  for (std::uint32_t i = 0; i < graph.node_count(); ++i) graph.node_id.set(i, i);
  add_place(graph, 2, "/srv/app.js", 9);
  return {.heap = std::make_shared<analyze::Heap>(std::move(graph))};
}

std::vector<GrowingLeak> watch(const std::vector<AskedHeap>& heaps, double least = 0) {
  analyze::answers::LeakWatch leaks({.number = least});
  for (std::size_t i = 1; i < heaps.size(); ++i) leaks.add_step(heaps[i - 1], heaps[i], false);
  return leaks.find();
}

std::vector<GrowingLeak> watch(const std::vector<int>& counts, double least = 0) {
  std::vector<AskedHeap> heaps;
  for (const int count : counts) heaps.push_back(take(count));
  return watch(heaps, least);
}

}  // namespace

TEST_CASE("a leak is the same one even if the paths to it differ", "[leaks]") {
  const auto found = watch({take(10), take(20, true), take(30), take(40, true), take(50)});
  REQUIRE(found.size() == 1);
  CHECK(found[0].step_count == 4);
  CHECK(found[0].growth == 4000);
  CHECK(found[0].reason.contains("waiting"));  // as in the last snapshot
}

TEST_CASE("a path that is new is no leak", "[leaks]") {
  CHECK(watch({take(30), take(30, true), take(30), take(30, true)}).empty());
}

TEST_CASE("without ids, a leak must grow in half of the steps, and not only in the first ones", "[leaks]") {
  CHECK(watch({10, 20, 20, 30, 30}).size() == 1);
  CHECK(watch({10, 20, 20, 20, 20}).empty());
  CHECK(watch({10, 20, 30, 40, 40, 40, 40}).empty());  // the program has started
  CHECK(watch({10, 20, 30, 40, 40, 40, 45}).empty());  // a seventh of the growth is late
  CHECK(watch({10, 20, 30, 40, 40, 40, 100}).size() == 1);
  CHECK(watch({10, 40}).size() == 1);
  CHECK(watch({10, 40, 40}).empty());
  CHECK(watch({40, 20, 10}).empty());
}

TEST_CASE("growth by less than the amount does not count", "[leaks]") {
  CHECK(watch({10, 20, 30}, 1000).size() == 1);
  CHECK(watch({10, 20, 30}, 1100).empty());
}
