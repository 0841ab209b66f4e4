// Tests the stacks and samples of timelines (spec/analysis.md#stacks-of-timelines).
#include "graph/trace_stacks.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/graphs.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

/// A timeline whose root refers to three objects. The first two were allocated by call 2.
struct Timeline {
  std::string function_count = "3";
  std::string functions = "0,1,4,0,0,0, 7,2,3,9,5,3, 8,2,3,9,8,1";
  std::string tree = "1,0,0,0,[2,1,5,160,[3,2,0,0,[]]]";
  std::string trace_ids[3] = {"2", "2", "0"};
  std::string samples = "100,3, 200,7";

  [[nodiscard]] std::string write() const {
    return R"j({"snapshot":{"meta":{"node_fields":["type","name","id","self_size","edge_count","trace_node_id"],)j"
           R"j("node_types":[["synthetic","object"],"string","number","number","number","number"],)j"
           R"j("edge_fields":["type","name_or_index","to_node"],)j"
           R"j("edge_types":[["property"],"string_or_number","node"],)j"
           R"j("trace_function_info_fields":["function_id","name","script_name","script_id","line","column"],)j"
           R"j("trace_node_fields":["id","function_info_index","count","size","children"],)j"
           R"j("sample_fields":["timestamp_us","last_assigned_id"]},)j"
           R"j("node_count":4,"edge_count":3,"trace_function_count":)j" +
           function_count + R"j(},"nodes":[0,0,1,0,3,0, 1,2,3,32,0,)j" + trace_ids[0] + ", 1,2,5,32,0," +
           trace_ids[1] + ", 1,2,7,32,0," + trace_ids[2] +
           R"j(],"edges":[0,2,6, 0,2,12, 0,2,18],"trace_function_infos":[)j" + functions +
           R"j(],"trace_tree":[)j" + tree + R"j(],"samples":[)j" + samples +
           R"j(],"locations":[],"strings":["<dummy>","(root)","add","app.js","","add"]})j";
  }
};

Graph read_timeline(const Timeline& timeline) {
  auto graph = graph::make_graph(read_snapshot(timeline.write()).snapshot, Limits{});
  REQUIRE(graph);
  return std::move(*graph);
}

/// `name script:line:column` for the call at a place.
std::string describe_call(const AllocationProfile& stacks, std::uint32_t place) {
  const StackFrame& frame = stacks.frames[stacks.frame[place]];
  return std::string(stacks.texts[frame.name]) + " " + std::string(script_of(stacks, frame)) + ":" +
         std::to_string(frame.line) + ":" + std::to_string(frame.column);
}

using Numbers = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("the calls of a timeline have their functions, callers and allocations", "[graph][stacks]") {
  const Graph graph = read_timeline({});
  const AllocationProfile& stacks = graph.stacks;
  CHECK(stacks.caller == Numbers{0, 0, 1});
  CHECK(stacks.allocated_count == std::vector<std::uint64_t>{0, 5, 0});
  CHECK(stacks.allocated_size == std::vector<std::uint64_t>{0, 160, 0});
  CHECK(describe_call(stacks, 0) == "(root) :0:0");
  CHECK(describe_call(stacks, 1) == "add app.js:5:3");
  CHECK(describe_call(stacks, 2) == "add app.js:8:1");
  CHECK(stacks.frames[0].script == StackFrame::no_script);
}

TEST_CASE("a node of a timeline has the call that allocated it", "[graph][stacks]") {
  CHECK(read_timeline({}).node_stack == Numbers{Graph::no_stack, 1, 1, Graph::no_stack});
  // No call has the id 9.
  CHECK(read_timeline({.trace_ids = {"3", "9", "1"}}).node_stack ==
        Numbers{Graph::no_stack, 2, Graph::no_stack, 0});
}

TEST_CASE("of calls that share an id, the last one counts", "[graph][stacks]") {
  const Graph graph = read_timeline({.tree = "1,0,0,0,[2,1,5,160,[],2,2,0,0,[]]"});
  CHECK(graph.node_stack[1] == 2);
}

TEST_CASE("a function that was compiled twice is one function", "[graph][stacks]") {
  // The second row differs in its id, and its name is another string with the same text.
  const Graph graph = read_timeline({.functions = "0,1,4,0,0,0, 7,2,3,9,5,3, 8,5,3,9,5,3"});
  CHECK(graph.stacks.frames.size() == 2);
  CHECK(graph.stacks.frame == Numbers{0, 1, 1});
}

TEST_CASE("calls without a caller are called by the first one", "[graph][stacks]") {
  CHECK(read_timeline({.tree = "1,0,0,0,[],2,1,5,160,[]"}).stacks.caller == Numbers{0, 0});
}

TEST_CASE("a line that no file has is unknown", "[graph][stacks]") {
  const Graph graph = read_timeline({.functions = "0,1,4,0,0,0, 7,2,3,9,4294967296,4294967295, 8,2,3,9,8,1"});
  CHECK(describe_call(graph.stacks, 1) == "add app.js:0:4294967295");
}

TEST_CASE("a timeline whose calls refer to no function has no stacks, but keeps its samples",
          "[graph][stacks]") {
  for (const Timeline& timeline : {Timeline{.tree = "1,0,0,0,[2,3,5,160,[]]"},
                                   Timeline{.functions = "0,1,4,0,0,0, 7,6,3,9,5,3, 8,2,3,9,8,1"},
                                   Timeline{.functions = "0,1,4,0,0,0, 7,2,6,9,5,3, 8,2,3,9,8,1"}}) {
    const Graph graph = read_timeline(timeline);
    CHECK(graph.node_stack.empty());
    CHECK(graph.stacks.caller.empty());
    CHECK(graph.samples.size() == 2);
  }
}

TEST_CASE("functions that V8 had not written when it recorded their calls are unknown", "[graph][stacks]") {
  const Graph graph =
      read_timeline({.function_count = "2", .tree = "1,0,0,0,[2,1,5,160,[3,3,1,8,[],4,4,1,8,[]]]"});
  CHECK(graph.stacks.caller == Numbers{0, 0, 1, 1});
  CHECK(describe_call(graph.stacks, 1) == "add app.js:5:3");
  CHECK(describe_call(graph.stacks, 2) == "(unknown) :0:0");
  CHECK(graph.stacks.frame[2] == graph.stacks.frame[3]);
}

TEST_CASE("samples must be in the order of times and ids", "[graph][stacks]") {
  const Graph graph = read_timeline({});
  REQUIRE(graph.samples.size() == 2);
  CHECK(graph.samples[1].time == 200);
  CHECK(graph.samples[1].last_id == 7);
  CHECK(read_timeline({.samples = "200,3, 100,7"}).samples.empty());
  CHECK(read_timeline({.samples = "100,7, 200,3"}).samples.empty());
}

TEST_CASE("stacks count towards the memory of a graph", "[graph][stacks]") {
  const auto measure = [](const Timeline& timeline) {
    return graph::measure_trace_stacks(read_snapshot(timeline.write()).snapshot);
  };
  const std::uint64_t all = measure({});
  // A call has two indices and two amounts, a function is a frame, and a sample has a time and an id.
  CHECK(all - measure({.tree = "1,0,0,0,[2,1,5,160,[]]"}) == 24);
  CHECK(all - measure({.functions = "0,1,4,0,0,0, 7,2,3,9,5,3"}) == sizeof(StackFrame));
  CHECK(all - measure({.samples = "100,3"}) == sizeof(AllocationSample));
  // Without calls, nodes have no stacks.
  CHECK(measure({.tree = ""}) == 3 * sizeof(StackFrame) + 2 * sizeof(AllocationSample));
}
