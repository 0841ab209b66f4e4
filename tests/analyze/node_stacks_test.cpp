#include "analyze/node_stacks.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "analyze/allocation_times.hpp"
#include "heapcheck/dump.hpp"
#include "tests/support/files.hpp"

using namespace heapcheck;

namespace {

Graph read_seed(const char* name) {
  const auto dump = heapcheck::open((tests::root / "corpus/v8/heapsnapshot/seed" / name).string());
  REQUIRE(dump);
  auto graph = (*dump->snapshots().begin()).graph();
  REQUIRE(graph);
  return std::move(*graph);
}

/// The frames of a stack as `name:line`, innermost first.
std::vector<std::string> list_frames(const AllocationProfile& stacks,
                                     const std::vector<std::uint32_t>& places) {
  std::vector<std::string> names;
  for (const std::uint32_t place : places) {
    const StackFrame& frame = stacks.frames[stacks.frame[place]];
    names.push_back(std::string(stacks.texts[frame.name]) + ":" + std::to_string(frame.line));
  }
  return names;
}

/// A root with two objects of 10 and 1,000 bytes, and one of 300 bytes that the first object holds. `add`
/// called by the root allocated the first and the last one; the second one has no stack.
Graph make_allocated_heap() {
  Graph graph;
  graph.node_kinds = {{.name = "synthetic", .group = NodeGroup::root}, {.name = "object"}};
  graph.edge_kinds = {{.name = "property"}};
  const std::uint32_t text = graph.texts.add("x");
  graph.node_kind = {0, 1, 1, 1};
  graph.node_name.assign(4, text);
  graph.node_size = {0, 10, 1000, 300};
  graph.node_id = {1, 3, 5, 7};
  graph.first_edge = {0, 2, 3, 3, 3};
  graph.edge_kind.assign(3, 0);
  graph.edge_name.assign(3, text);
  graph.edge_target = {1, 2, 3};
  graph.stacks.frames = {{.name = graph.stacks.texts.add("(root)")}, {.name = graph.stacks.texts.add("add")}};
  graph.stacks.caller = {0, 0};
  graph.stacks.frame = {0, 1};
  graph.stacks.allocated_size = {0, 400};
  graph.stacks.allocated_count = {0, 4};
  graph.node_stack = {Graph::no_stack, 1, Graph::no_stack, 1};
  return graph;
}

}  // namespace

TEST_CASE("the profile of a timeline has the live memory, and the total that was allocated", "[analyze]") {
  const auto profile = analyze::make_live_profile(make_allocated_heap());
  REQUIRE(profile);
  CHECK(profile->place == std::vector<std::uint32_t>{1});
  CHECK(profile->size == std::vector<std::uint64_t>{310});
  CHECK(profile->count == std::vector<std::uint64_t>{2});
  CHECK(profile->allocated_size == std::vector<std::uint64_t>{0, 400});
  CHECK(profile->left_out_count == 2);
  CHECK(profile->left_out_size == 1000);
}

TEST_CASE("the stack that allocated most of a part of the heap counts what its nodes hold", "[analyze]") {
  const analyze::Heap heap(make_allocated_heap());
  const std::uint32_t first = 1;
  const std::uint32_t second = 2;
  const auto stack = analyze::find_allocating_stack(heap, {&first, 1}, heap.counted_sizes());
  REQUIRE(stack);
  CHECK(stack->places == std::vector<std::uint32_t>{1, 0});
  CHECK(stack->allocated.size == 310);
  CHECK(stack->allocated.count == 2);
  CHECK(stack->size == 310);
  CHECK(!analyze::find_allocating_stack(heap, {&second, 1}, heap.counted_sizes()));
  const std::uint32_t root = 0;
  const auto whole = analyze::find_allocating_stack(heap, {&root, 1}, heap.counted_sizes());
  REQUIRE(whole);
  CHECK(whole->allocated.size == 310);
  CHECK(whole->size == 1310);
}

TEST_CASE("a timeline that was recorded with stacks has the functions and calls of its file", "[analyze]") {
  const Graph graph = read_seed("chrome-120-stacks.heaptimeline");
  const auto profile = analyze::make_live_profile(graph);
  REQUIRE(profile);
  const auto frames = analyze::count_allocations(*profile, AllocationsOf::frames, TopBy::size);
  const auto found = std::ranges::find(frames, "LeakyThing", &NodeTotals::name);
  REQUIRE(found != frames.end());
  CHECK(found->count == 3);
  CHECK(found->size == 192);
  CHECK(found->place == heapcheck::Place{"file:///home/me/page.html", 2, 29});
  CHECK(profile->left_out_count == 252);
  // A stack that leads through three functions of the page.
  const auto deepest = std::ranges::max(graph.nodes(), {}, [&](const Node& node) {
    return analyze::find_node_stack(graph, node.index()).size();
  });
  CHECK(list_frames(graph.stacks, analyze::find_node_stack(graph, deepest.index())) ==
        std::vector<std::string>{"LeakyThing:2", "leak:3", ":4", "(root):0"});
}

TEST_CASE("a snapshot without stacks says how to record them", "[analyze]") {
  const auto profile = analyze::make_live_profile(read_seed("node-16.heapsnapshot"));
  REQUIRE(!profile);
  CHECK(profile.error().kind == ErrorKind::unsupported);
  CHECK(profile.error().message.contains("trackAllocations"));
}

TEST_CASE("a node was allocated at the time of the first sample that includes its id", "[analyze]") {
  Graph graph = make_allocated_heap();
  graph.node_id = {1, 2, 5, 7};
  graph.samples = {{.time = 0, .last_id = 3}, {.time = 100, .last_id = 3}, {.time = 200, .last_id = 5}};
  const auto time_of = [&](std::uint32_t node) {
    return analyze::find_allocation_time(graph.node(node), graph.samples);
  };
  CHECK(time_of(0) == 0);
  CHECK(time_of(1) == std::nullopt);  // nodes with even ids are not in V8's heap
  CHECK(time_of(2) == 200);
  CHECK(time_of(3) == std::nullopt);  // allocated after the last sample
}

TEST_CASE("all nodes of V8's heap are in one of at most 20 intervals", "[analyze]") {
  Graph graph = make_allocated_heap();
  CHECK(analyze::find_alive_intervals(graph).empty());
  for (std::uint64_t i = 0; i < 1000; ++i)
    graph.samples.push_back({.time = 10 * i, .last_id = i < 500 ? 3U : 5U});
  const auto intervals = analyze::find_alive_intervals(graph);
  REQUIRE(intervals.size() == 20);
  CHECK(intervals.front().from == std::nullopt);
  CHECK(intervals.front().to == 0);
  CHECK(intervals.front().count == 2);
  CHECK(intervals.front().size == 10);
  CHECK(intervals.back().from == 9990);
  CHECK(intervals.back().to == std::nullopt);
  CHECK(intervals.back().size == 300);
  for (std::size_t i = 1; i < intervals.size(); ++i) CHECK(intervals[i].from == intervals[i - 1].to);
  for (const analyze::AliveInterval& interval : intervals) {
    if (interval.from && interval.to)
      CHECK((interval.size == 1000) == (*interval.from < 5000 && *interval.to >= 5000));
  }
}
