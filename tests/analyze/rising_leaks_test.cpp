#include "analyze/rising_leaks.hpp"

#include <string>
#include <vector>

#include "analyze/guard.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/v8_program.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

/// A snapshot in which the program's list holds the entries from `first` to before `end`. Each has its own
/// id.
analyze::Heap take_snapshot(int first, int end) {
  Program program;
  std::vector<std::uint64_t> ids;
  const auto old = program.nodes.size();
  for (int i = first; i < end; ++i) program.add(4, "element", std::to_string(i), "Job", 100);
  Graph graph = make_v8_graph(program.nodes, program.edges);
  for (std::size_t i = old; i < graph.node_count(); ++i)
    graph.node_id.set(i, 100'001 + 2 * (static_cast<std::uint64_t>(first) + i - old));
  add_place(graph, 2, "/srv/app.js", 9);
  return analyze::Heap(std::move(graph));
}

std::vector<analyze::RisingLeak> find_rising(int first, int end, double least = 0) {
  const analyze::Heap before = take_snapshot(0, 50);
  return analyze::find_rising_leaks(before, take_snapshot(first, end), least);
}

/// A snapshot of a pool of 40 rows, of which those from `first` to before `end` are in use and have a part.
analyze::Heap take_pool(int first, int end) {
  Program program;
  for (int i = 0; i < 40; ++i) program.add(4, "element", std::to_string(i), "Row", 10);
  const auto rows = static_cast<std::uint32_t>(program.nodes.size()) - 40;
  for (int i = first; i < end; ++i)
    program.add(rows + static_cast<std::uint32_t>(i), "property", "part", "Part", 100);
  Graph graph = make_v8_graph(program.nodes, program.edges);
  for (std::uint32_t i = rows + 40; i < graph.node_count(); ++i)
    graph.node_id.set(i, 100'001 + 2 * (static_cast<std::uint64_t>(first) + i - rows));
  add_place(graph, 2, "/srv/app.js", 9);
  return analyze::Heap(std::move(graph));
}

}  // namespace

TEST_CASE("objects that are taken from a pool get new parts, but are no leak", "[leaks]") {
  const analyze::Heap before = take_pool(0, 20);
  CHECK(analyze::find_rising_leaks(before, take_pool(20, 40), 0).empty());
  CHECK(analyze::find_rising_leaks(before, take_pool(15, 40), 0).empty());  // 20 new parts for 15 old ones
  CHECK(analyze::find_rising_leaks(before, take_pool(10, 40), 0).size() == 1);  // for 10
  const auto rising = analyze::find_rising_leaks(before, take_pool(0, 40), 0);
  REQUIRE(rising.size() == 1);
  CHECK(rising[0].leak.type == "Part");
}

TEST_CASE("a leak rises if what holds it has grown", "[leaks]") {
  const auto rising = find_rising(0, 80);
  REQUIRE(rising.size() == 1);
  CHECK(rising[0].leak.type == "Job");
  CHECK(rising[0].leak.retained == 3000);
  CHECK(rising[0].growth == 3000);
}

TEST_CASE("a full cache whose entries are replaced does not rise", "[leaks]") {
  CHECK(find_rising(30, 80).empty());
  CHECK(find_rising(20, 80).empty());  // 20 % more entries, but most of the new ones replace others
  CHECK(find_rising(10, 80).size() == 1);
}

TEST_CASE("a leak that grows by less than the limit does not count", "[leaks]") {
  CHECK(find_rising(0, 80, 3000).size() == 1);
  CHECK(find_rising(0, 80, 3001).empty());
}

TEST_CASE("the slope is that of the nearest line", "[analyze]") {
  CHECK(analyze::find_slope(std::vector<double>{1, 3}) == 2);
  CHECK(analyze::find_slope(std::vector<double>{643, 663, 663}) == 10);
  CHECK(analyze::find_slope(std::vector<double>{5, 5, 5, 5}) == 0);
  CHECK(analyze::find_slope(std::vector<double>{4, 2, 0}) == -2);
}
