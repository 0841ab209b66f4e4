#include <algorithm>
#include <cstddef>

#include "analyze/fingerprint.hpp"
#include "analyze/heap.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/v8_program.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

/// A snapshot with only the first nodes of a program.
analyze::Heap take_snapshot(const Program& program, std::size_t node_count, std::uint32_t place = 2) {
  std::vector<MadeEdge> edges;
  for (const MadeEdge& edge : program.edges) {
    if (std::max(edge.source, edge.target) < node_count) edges.push_back(edge);
  }
  Graph graph = make_v8_graph(
      {program.nodes.begin(), program.nodes.begin() + static_cast<std::ptrdiff_t>(node_count)}, edges);
  add_place(graph, 2, "/srv/app.js", 9);
  for (std::uint32_t node = std::max(place, 3U); place != 2 && node < node_count; ++node)
    add_place(graph, node, "/srv/app.js", 30);
  return analyze::Heap(std::move(graph));
}

/// The leaks since the snapshot with the first `before` nodes. Nodes from `place` on are of a class.
std::vector<Suspect> find_leaks(const Program& program, std::size_t before, std::uint32_t place = 2) {
  const analyze::Heap first = take_snapshot(program, before);
  const analyze::Heap last = take_snapshot(program, program.nodes.size(), place);
  return last.leaks_since(first, nullptr, {.least_share = 0}).leaks;
}

}  // namespace

TEST_CASE("new nodes are leaks, and the nodes inside them are not", "[leaks]") {
  Program program;
  const std::size_t before = program.nodes.size();
  for (int i = 0; i < 10; ++i) {
    const auto job = program.add(4, "element", std::to_string(i), "Job", 100);
    program.add(job, "property", "data", "Object", 50);
  }
  const auto leaks = find_leaks(program, before);
  REQUIRE(leaks.size() == 1);
  CHECK(leaks[0].type == "Job");
  CHECK(leaks[0].nodes.size() == 10);
  CHECK(leaks[0].retained == 1500);
  CHECK(leaks[0].way == "start's variable waiting, used by poll (srv/app.js:9)");
  CHECK(leaks[0].path.back().node == before);
}

TEST_CASE("memory that several nodes of a leak share counts once", "[leaks]") {
  Program program;
  const std::size_t before = program.nodes.size();
  const auto one = program.add(4, "element", "0", "Job", 100);
  const auto other = program.add(4, "element", "1", "Job", 100);
  const auto shared = program.add(one, "property", "data", "Object", 70);
  program.edges.push_back({other, "property", "data", shared});
  const auto leaks = find_leaks(program, before);
  REQUIRE(leaks.size() == 1);
  CHECK(leaks[0].retained == 270);
}

TEST_CASE("leaks with different fingerprints do not retain what both hold", "[leaks]") {
  Program program;
  const std::size_t before = program.nodes.size();
  const auto job = program.add(4, "element", "0", "Job", 100);
  const auto task = program.add(4, "element", "1", "Task", 90);
  const auto shared = program.add(job, "property", "data", "Object", 70);
  program.edges.push_back({task, "property", "data", shared});
  const auto leaks = find_leaks(program, before);
  REQUIRE(leaks.size() == 2);
  CHECK(leaks[0].retained == 100);
  CHECK(leaks[1].retained == 90);
  CHECK(leaks[0].fingerprint != leaks[1].fingerprint);
}

TEST_CASE("the nodes of a list are leaks of their own", "[leaks]") {
  Program program;
  const std::size_t before = program.nodes.size();
  std::uint32_t last = program.add(4, "property", "head", "Entry", 10);
  for (int i = 1; i < 5; ++i) last = program.add(last, "property", "next", "Entry", 10);
  const auto leaks = find_leaks(program, before, static_cast<std::uint32_t>(before));
  REQUIRE(leaks.size() == 1);
  CHECK(leaks[0].nodes.size() == 5);
  CHECK(leaks[0].retained == 50);
}

TEST_CASE("an old node is not inside a new node that leads to it", "[leaks]") {
  Program program;
  const auto old = program.add(4, "element", "0", "Old", 1000);
  const std::size_t before = program.nodes.size();
  const auto fresh = program.add(4, "element", "1", "Fresh", 10);
  program.edges.push_back({fresh, "property", "old", old});
  const auto job = program.add(old, "property", "last", "Job", 100);
  // In the last snapshot, only the new node holds the old one.
  Program later = program;
  later.edges.erase(later.edges.begin() + 10);
  const analyze::Heap first = take_snapshot(program, before);
  const analyze::Heap last = take_snapshot(later, later.nodes.size());
  const auto leaks = last.leaks_since(first, nullptr, {.least_share = 0}).leaks;
  REQUIRE(leaks.size() == 2);
  CHECK(leaks[0].nodes[0] == job);
  CHECK(leaks[0].retained == 100);
  CHECK(leaks[1].nodes[0] == fresh);
  CHECK(leaks[1].retained == 10);
}

TEST_CASE("a part of V8's own is a leak only if nothing else in it is new", "[leaks]") {
  Program program;
  const std::size_t before = program.nodes.size();
  const auto code = program.add(4, "internal", "code", "", 64);
  program.nodes.back().kind = "code";
  SECTION("with new nodes") {
    for (int i = 0; i < 3; ++i) program.add(code, "internal", std::to_string(i), "Session", 100);
    const auto leaks = find_leaks(program, before);
    REQUIRE(leaks.size() == 1);
    CHECK(leaks[0].type == "Session");
    CHECK(leaks[0].nodes.size() == 3);
  }
  SECTION("without them") {
    const auto leaks = find_leaks(program, before);
    REQUIRE(leaks.size() == 1);
    CHECK(leaks[0].nodes == std::vector<std::uint32_t>{code});
    CHECK(leaks[0].fingerprint ==
          analyze::hash_text("leak 1\nvariable waiting of start (app.js): Array\n[]: (internal)"));
  }
}

TEST_CASE("the keys of a dictionary do not tell its entries apart", "[leaks]") {
  Program program;
  const std::size_t before = program.nodes.size();
  const auto add = [&](int count) {
    for (int i = 0; i < count; ++i)
      program.add(4, "property", std::string(1, static_cast<char>('a' + i)), "Job", 100);
    return find_leaks(program, before).size();
  };
  SECTION("eight entries") { CHECK(add(8) == 1); }
  SECTION("seven properties") { CHECK(add(7) == 7); }
}

TEST_CASE("of three snapshots, only nodes that are in the one between are new", "[leaks]") {
  Program program;
  const std::size_t before = program.nodes.size();
  program.add(4, "element", "0", "Early", 100);
  const std::size_t between_count = program.nodes.size();
  program.add(4, "element", "1", "Late", 100);
  const analyze::Heap first = take_snapshot(program, before);
  const analyze::Heap second = take_snapshot(program, between_count);
  const analyze::Heap last = take_snapshot(program, program.nodes.size());
  const auto found = last.leaks_since(first, &second.nodes_by_id(), {.least_share = 0});
  CHECK(found.by == GrowthBy::id);
  CHECK(found.size == 100);
  REQUIRE(found.leaks.size() == 1);
  CHECK(found.leaks[0].type == "Early");
}

TEST_CASE("of a list of plain objects, only the first one leaks", "[leaks]") {
  Program program;
  const std::size_t before = program.nodes.size();
  auto last = program.add(4, "property", "head", "Object", 100);
  for (int i = 0; i < 5; ++i) last = program.add(last, "property", "next", "Object", 100);
  const auto leaks = find_leaks(program, before);
  REQUIRE(leaks.size() == 1);
  CHECK(leaks[0].nodes == std::vector<std::uint32_t>{static_cast<std::uint32_t>(before)});
  CHECK(leaks[0].retained == 600);
  CHECK(leaks[0].contents.empty());
}

TEST_CASE("an old node does not count for a leak that now holds it", "[leaks]") {
  Program program;
  const auto old = program.add(4, "property", "data", "Buffer", 100'000);
  const std::size_t before = program.nodes.size();
  const auto fresh = program.add(4, "property", "job", "Job", 10);
  Program later = program;
  later.edges.erase(later.edges.end() - 2);
  later.edges.push_back({fresh, "property", "data", old});
  const auto leaks = take_snapshot(later, later.nodes.size())
                         .leaks_since(take_snapshot(program, before), nullptr, {.least_share = 0})
                         .leaks;
  REQUIRE(leaks.size() == 1);
  CHECK(leaks[0].retained == 10);
  CHECK(leaks[0].share == 1);
}

TEST_CASE("the example of a leak is the node that retains the most", "[leaks]") {
  Program program;
  const std::size_t before = program.nodes.size();
  program.add(4, "element", "0", "Job", 100);
  const auto largest = program.add(4, "element", "1", "Job", 100);
  program.add(largest, "property", "page", "Page", 5000);
  const auto leaks = find_leaks(program, before);
  REQUIRE(leaks.size() == 1);
  CHECK(leaks[0].nodes[0] == largest);
  CHECK(leaks[0].path.back().node == largest);
  CHECK(leaks[0].contents == std::vector<std::string>{"Page"});
}

TEST_CASE("in one snapshot, leaks retain the nodes between them and other leaks", "[leaks]") {
  Program program;
  auto keys = program.add(4, "property", "keys", "Object", 10);
  for (int i = 0; i < 3; ++i) keys = program.add(keys, "property", "next", "Object", 10);
  for (int i = 0; i < 10; ++i) {
    const auto job = program.add(4, "element", std::to_string(i), "Job", 1000);
    const auto page = program.add(job, "property", "page", "Page", 3000);
    const auto text = program.add(page, "property", "text", "Text", 2000);
    program.edges.push_back({keys, "element", std::to_string(i), text});
  }
  const analyze::Heap heap = take_snapshot(program, program.nodes.size());
  const auto found = heap.leaks({.least_share = 0.05});
  REQUIRE(found.leaks.size() == 2);
  CHECK(found.leaks[0].type == "Job");
  CHECK(found.leaks[0].retained == 40'000);
  CHECK(found.leaks[1].type == "Text");
  CHECK(found.leaks[1].retained == 20'000);
}

TEST_CASE("in one snapshot, the nodes of the suspects are grouped", "[leaks]") {
  Program program;
  for (int i = 0; i < 10; ++i) program.add(4, "element", std::to_string(i), "Job", 100);
  const analyze::Heap heap = take_snapshot(program, program.nodes.size());
  const auto found = heap.leaks({.least_share = 0.2});
  CHECK(found.size == 1080);
  REQUIRE(found.leaks.size() == 1);
  CHECK(found.leaks[0].nodes.size() == 10);
  CHECK(found.leaks[0].retained == 1000);
  CHECK(found.leaks[0].fingerprint == heap.suspects().suspects[0].fingerprint);
}
