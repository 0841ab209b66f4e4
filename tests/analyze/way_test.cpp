#include "analyze/program_parts.hpp"

#include "heapcheck/heap.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/v8_program.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

TEST_CASE("a suspect is named by the variable that leads there and the function that declares it",
          "[suspects]") {
  Program program;
  for (int i = 0; i < 10; ++i) program.add(4, "element", std::to_string(i), "Job", 100);
  Graph graph = make_v8_graph(program.nodes, program.edges);
  add_place(graph, 2, "/srv/app.js", 9);
  add_place(graph, 7, "/srv/app.js", 7);
  const auto found = Heap(graph).suspects();
  REQUIRE(found.size() == 1);
  CHECK(found[0].nodes.size() == 10);
  CHECK(found[0].holder == 4);
  CHECK(found[0].way == "start's variable waiting (srv/app.js:7), used by poll (srv/app.js:9)");
  CHECK(found[0].owner == SuspectOwner::program);
}

TEST_CASE("a variable outside of all functions is named by its file", "[suspects]") {
  Program program;
  program.nodes[6].name = "(shared function info)";
  program.edges[6] = {3, "internal", "previous", 1};
  program.edges.erase(program.edges.begin() + 8);  // no closure of the module's function is left
  for (int i = 0; i < 10; ++i) program.add(4, "element", std::to_string(i), "Job", 100);
  Graph graph = make_v8_graph(program.nodes, program.edges);
  add_place(graph, 2, "file:///srv/app.js", 9);
  const auto found = Heap(graph).suspects();
  REQUIRE(found.size() == 1);
  CHECK(found[0].way == "the variable waiting of app.js, used by poll (srv/app.js:9)");
}

TEST_CASE("a property is named by its class, and by the variable that holds the object", "[suspects]") {
  Program program;
  program.nodes[6].name = "(shared function info)";
  program.edges[6] = {3, "internal", "previous", 1};
  program.edges.erase(program.edges.begin() + 8);
  const std::uint32_t store = program.add(4, "element", "0", "Store", 10);
  const std::uint32_t map = program.add(store, "property", "sessions", "Map", 10);
  for (int i = 0; i < 10; ++i) program.add(map, "element", std::to_string(i), "Session", 100);
  Graph graph = make_v8_graph(program.nodes, program.edges);
  add_place(graph, 2, "/srv/app.js", 9);
  add_place(graph, store, "/srv/store.js", 3);
  const auto found = Heap(graph).suspects();
  REQUIRE(found.size() == 1);
  CHECK(found[0].way ==
        "Store's property sessions (srv/store.js:3), in the variable waiting of app.js, used by poll "
        "(srv/app.js:9)");
}

TEST_CASE("a local variable of a call that waits is named by the function", "[suspects]") {
  Program program;
  const std::uint32_t variables = add_suspended_call(program, 4, "0");
  const std::uint32_t request = program.add(variables, "internal", "2", "Request", 10);
  const std::uint32_t rows = program.add(request, "property", "rows", "Array", 10);
  for (int i = 0; i < 10; ++i) program.add(rows, "element", std::to_string(i), "Row", 100);
  Graph graph = make_v8_graph(program.nodes, program.edges);
  add_place(graph, 2, "node:timers", 9);
  add_place(graph, variables - 1, "/srv/app.js", 3);
  const auto found = Heap(graph).suspects();
  REQUIRE(found.size() == 1);
  CHECK(found[0].type == "Row");
  CHECK(found[0].way == "rows of a suspended call of start (srv/app.js:3)");
  CHECK(found[0].owner == SuspectOwner::program);
}

TEST_CASE("promises are named by what waits for them, even if a variable of the program holds them",
          "[suspects]") {
  Program program;
  std::vector<std::uint32_t> calls;
  for (int i = 0; i < 10; ++i) {
    const std::uint32_t variables = add_suspended_call(program, 4, std::to_string(i));
    program.nodes[variables].size = 1000;
    calls.push_back(variables - 1);
  }
  Graph graph = make_v8_graph(program.nodes, program.edges);
  add_place(graph, 2, "/srv/app.js", 9);
  for (const std::uint32_t call : calls) add_place(graph, call, "/srv/page.js", 3);
  const auto found = Heap(graph).suspects();
  REQUIRE(found.size() == 1);
  CHECK(found[0].type == "Promise");
  CHECK(found[0].way.starts_with("start's variable waiting"));
  CHECK(found[0].leads_to == "start (srv/page.js:3)");
  CHECK(found[0].owner == SuspectOwner::program);
}

TEST_CASE("a closure whose context is the scope of another is no function of it", "[suspects]") {
  Program program;
  for (int i = 0; i < 10; ++i) program.add(4, "element", std::to_string(i), "Job", 100);
  program.nodes.push_back({"closure", "odd", 10});
  program.edges.push_back({1, "property", "odd", static_cast<std::uint32_t>(program.nodes.size() - 1)});
  program.edges.push_back({static_cast<std::uint32_t>(program.nodes.size() - 1), "internal", "context", 5});
  const auto found = Heap(make_v8_graph(program.nodes, program.edges)).suspects();
  REQUIRE(found.size() == 1);
  CHECK(found[0].way.starts_with("start's variable waiting"));
}

TEST_CASE("the global object of a page that was left is found through its native context", "[suspects]") {
  std::vector<MadeNode> nodes{{"synthetic", "", 0},     {"synthetic", "(Global handles)", 0},
                              {"object", "Div", 10},    {"hidden", "system / NativeContext", 10},
                              {"object", "Window", 10}, {"object", "Array", 10}};
  std::vector<MadeEdge> edges{{0, "element", "1", 1},
                              {1, "element", "1", 2},
                              {2, "internal", "context", 3},
                              {3, "internal", "extension", 4},
                              {4, "property", "keep", 5}};
  for (int i = 0; i < 10; ++i) {
    nodes.push_back({"object", "Session", 100});
    edges.push_back({5, "element", std::to_string(i), static_cast<std::uint32_t>(nodes.size() - 1)});
  }
  Graph graph = make_v8_graph(nodes, edges);
  for (std::uint32_t node = 6; node < 16; ++node) add_place(graph, node, "/srv/app.js", 3);
  const auto found = Heap(graph).suspects();
  REQUIRE(found.size() == 1);
  CHECK(found[0].way == "the global variable keep");
  CHECK(found[0].leads_to.empty());
}

TEST_CASE("suspects of the runtime come after those of the program", "[suspects]") {
  Program program;
  program.nodes.push_back({"synthetic", "(GC roots)", 0});
  program.edges.push_back({0, "element", "2", 9});
  program.nodes.push_back({"object", "Table", 3000});
  program.edges.push_back({9, "internal", "1", 10});
  program.nodes.push_back({"code", "(bytecode)", 2500});
  program.edges.push_back({2, "internal", "code", 11});
  program.add(4, "element", "0", "Job", 2000);
  Graph graph = make_v8_graph(program.nodes, program.edges);
  add_place(graph, 2, "/srv/app.js", 9);
  const auto found = Heap(graph).suspects();
  REQUIRE(found.size() == 3);
  CHECK(found[0].type == "Job");
  CHECK(found[0].owner == SuspectOwner::program);
  CHECK(found[1].type == "Table");
  CHECK(found[1].owner == SuspectOwner::runtime);
  CHECK(found[2].owner == SuspectOwner::runtime);
}

TEST_CASE("files of the runtime are not the program's", "[suspects]") {
  using analyze::is_program_file;
  CHECK(is_program_file("/srv/app.js", true));
  CHECK(is_program_file("https://example.org/app.js", true));
  CHECK(is_program_file("C:\\srv\\app.js", true));
  CHECK(is_program_file("worker.js", false));
  CHECK_FALSE(is_program_file("events.js", true));
  CHECK_FALSE(is_program_file("node:events", false));
  CHECK_FALSE(is_program_file("internal/timers.js", false));
  CHECK_FALSE(is_program_file("ext:core/01_core.js", true));
}

TEST_CASE("paths avoid other suspects first, and then what is new", "[suspects]") {
  // The job can be reached through the cache, which is a suspect, through a new object, and by a longer way
  // through old objects.
  const auto make = [](bool is_later) {
    std::vector<MadeNode> nodes{{"synthetic", "", 0},  {"object", "global", 10}, {"object", "Cache", 10},
                                {"object", "Old", 10}, {"object", "Older", 10},  {"object", "Queue", 10}};
    std::vector<MadeEdge> edges{{0, "element", "1", 1},      {1, "property", "cache", 2},
                                {1, "property", "old", 3},   {2, "property", "queue", 5},
                                {3, "property", "older", 4}, {4, "property", "queue", 5}};
    if (is_later) {
      nodes.push_back({"object", "New", 10});
      edges.push_back({1, "property", "new", 6});
      edges.push_back({6, "property", "queue", 5});
      for (const std::uint32_t holder : {2U, 5U}) {
        for (int i = 0; i < 5; ++i) {
          nodes.push_back({"object", holder == 2 ? "Entry" : "Job", 100});
          edges.push_back(
              {holder, "element", std::to_string(i), static_cast<std::uint32_t>(nodes.size() - 1)});
        }
      }
    }
    return Heap(make_v8_graph(nodes, edges));
  };
  const Growth growth = make(true).growth_since(make(false));
  CHECK(growth.by == GrowthBy::id);
  CHECK(growth.doubt == GrowthDoubt::none);
  REQUIRE(growth.suspects.size() == 2);
  const Suspect& jobs = growth.suspects[growth.suspects[0].type == "Job" ? 0 : 1];
  REQUIRE(jobs.path.size() == 5);
  CHECK(jobs.path[2].node == 3);
  CHECK(jobs.path[3].node == 4);
  CHECK(jobs.path[4].node == 5);
}

TEST_CASE("snapshots that do not follow each other are told apart by their ids", "[suspects]") {
  const auto make = [](std::uint64_t first_id, std::uint32_t count, const std::string& type) {
    std::vector<MadeNode> nodes{{"synthetic", "", 0}};
    std::vector<MadeEdge> edges;
    for (std::uint32_t i = 1; i <= count; ++i) {
      nodes.push_back({"object", type + std::to_string(i % 4), 10});
      edges.push_back({0, "element", std::to_string(i), i});
    }
    Graph graph = make_v8_graph(nodes, edges);
    shift_ids(graph, first_id);
    return Heap(std::move(graph));
  };
  const Heap early = make(2, 20, "A");
  const Heap late = make(2, 40, "A");
  const Heap other = make(2, 40, "B");
  CHECK(late.growth_since(early).doubt == GrowthDoubt::none);
  CHECK(late.growth_since(make(2, 40, "A")).doubt == GrowthDoubt::same_heap);
  CHECK(early.growth_since(late).doubt == GrowthDoubt::out_of_order);
  const Growth growth = other.growth_since(early);
  CHECK(growth.doubt == GrowthDoubt::other_process);
  CHECK(growth.by == GrowthBy::type);
  CHECK(make(1000, 40, "A").growth_since(early).doubt == GrowthDoubt::other_process);
}
