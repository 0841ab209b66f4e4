#include "analyze/fingerprint.hpp"

#include "heapcheck/heap.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/v8_program.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

/// What differs between two builds or runs of one program, or between two programs.
struct Build {
  std::string variable = "waiting";
  std::string type = "Job";
  std::string file = "/srv/app.js";
  std::uint32_t line = 7;
  std::uint64_t first_id = 1;
  std::string edge_above = "poll";  ///< by which the global object refers to a function of the program
};

/// The fingerprint of ten objects in an array that a variable of the function `start` holds.
std::string find_fingerprint(const Build& build) {
  Program program;
  program.edges[1].name = build.edge_above;
  program.edges[4].name = build.variable;
  for (int i = 0; i < 10; ++i) program.add(4, "element", std::to_string(i), build.type, 100);
  Graph graph = make_v8_graph(program.nodes, program.edges);
  tests::shift_ids(graph, build.first_id);
  add_place(graph, 2, build.file, build.line + 2);
  add_place(graph, 7, build.file, build.line);
  const auto found = Heap(graph).suspects();
  REQUIRE(found.size() == 1);
  return found[0].fingerprint;
}

}  // namespace

TEST_CASE("fingerprints are hashes with twelve hexadecimal digits", "[leaks]") {
  // The values of FNV-1a with 64 bits are cbf29ce484222325 and af63dc4c8601ec8c.
  CHECK(analyze::hash_text("") == "9ce48422e8d7");
  CHECK(analyze::hash_text("a") == "dc4c860143ef");
}

TEST_CASE("a leak has the same fingerprint in other builds and runs", "[leaks]") {
  const std::string expected = find_fingerprint({});
  CHECK(expected == analyze::hash_text("leak 1\nvariable waiting of start (app.js): Array\n[]: Job"));
  CHECK(find_fingerprint({.line = 70}) == expected);
  CHECK(find_fingerprint({.first_id = 1000}) == expected);
  CHECK(find_fingerprint({.file = "file:///other/folder/app.js?v=2"}) == expected);
  CHECK(find_fingerprint({.edge_above = "other"}) == expected);
}

TEST_CASE("different leaks have different fingerprints", "[leaks]") {
  const std::string other = find_fingerprint({});
  CHECK(find_fingerprint({.variable = "done"}) != other);
  CHECK(find_fingerprint({.type = "Task"}) != other);
  CHECK(find_fingerprint({.file = "/srv/main.js"}) != other);
}

TEST_CASE("two objects of one class have different fingerprints if different variables hold them",
          "[leaks]") {
  const auto find = [](const std::string& variable) {
    Program program;
    program.edges[4].name = variable;
    program.nodes[4] = {"object", "Store", 10};
    const std::uint32_t map = program.add(4, "property", "sessions", "Map", 10);
    for (int i = 0; i < 10; ++i) program.add(map, "element", std::to_string(i), "Session", 100);
    Graph graph = make_v8_graph(program.nodes, program.edges);
    add_place(graph, 2, "/srv/app.js", 9);
    add_place(graph, 4, "/srv/store.js", 3);
    const auto found = Heap(graph).suspects();
    REQUIRE(found.size() == 1);
    return found[0].fingerprint;
  };
  CHECK(find("store") == analyze::hash_text("leak 1\nvariable store of start (app.js)\n"
                                            "sessions of Store (store.js): Map\n[]: Session"));
  CHECK(find("other") != find("store"));
}

TEST_CASE("steps that occur again are left out of fingerprints", "[leaks]") {
  const auto find = [](int length) {
    Program program;
    std::uint32_t last = program.add(4, "property", "first", "Node", 10);
    for (int i = 1; i < length; ++i) last = program.add(last, "property", "next", "Node", 10);
    for (int i = 0; i < 10; ++i) program.add(last, "element", std::to_string(i), "Job", 1000);
    Graph graph = make_v8_graph(program.nodes, program.edges);
    add_place(graph, 2, "/srv/app.js", 9);
    const auto found = Heap(graph).suspects();
    REQUIRE(found.size() == 1);
    return found[0].fingerprint;
  };
  CHECK(find(3) == find(6));
  CHECK(find(3) != find(1));
}

TEST_CASE("a leak that only the runtime holds is known by the program's part inside it", "[leaks]") {
  const auto find = [](const std::string& function) {
    std::vector<MadeNode> nodes{{"synthetic", "", 0}, {"object", "global", 10}, {"object", "Timers", 10}};
    std::vector<MadeEdge> edges{{0, "element", "1", 1}, {1, "property", "process", 2}};
    for (int i = 0; i < 10; ++i) {
      const auto node = static_cast<std::uint32_t>(nodes.size());
      nodes.push_back({"object", "Timeout", 10});
      nodes.push_back({"closure", function, 100});
      edges.push_back({2, "property", "timer" + std::to_string(i), node});
      edges.push_back({node, "property", "_onTimeout", node + 1});
    }
    Graph graph = make_v8_graph(nodes, edges);
    for (std::uint32_t node = 4; node < nodes.size(); node += 2) add_place(graph, node, "/srv/app.js", 3);
    const auto found = Heap(graph).suspects();
    REQUIRE(found.size() == 1);
    return found[0].fingerprint;
  };
  CHECK(find("beat") == analyze::hash_text("leak 1\n[]: Timeout\ninside: function beat (app.js)"));
  CHECK(find("retry") != find("beat"));
}

TEST_CASE("what only a call that waits holds is known by the function", "[leaks]") {
  const auto find = [](const std::string& holder, const std::string& file) {
    Program program;
    const std::uint32_t timers = program.add(1, "property", "process", holder, 10);
    const std::uint32_t variables = add_suspended_call(program, timers, "_onTimeout");
    for (int i = 0; i < 10; ++i) program.add(variables, "internal", std::to_string(i), "Row", 100);
    Graph graph = make_v8_graph(program.nodes, program.edges);
    add_place(graph, timers, "node:timers", 9);
    add_place(graph, variables - 1, file, 3);
    const auto found = Heap(graph).suspects();
    REQUIRE(found.size() == 1);
    return found[0].fingerprint;
  };
  CHECK(find("Timers", "/srv/app.js") == analyze::hash_text("leak 1\ncall of start (app.js)\n[]: Row"));
  CHECK(find("Sockets", "/srv/app.js") == find("Timers", "/srv/app.js"));
  CHECK(find("Timers", "/srv/page.js") != find("Timers", "/srv/app.js"));
}

TEST_CASE("fingerprints of MoarVM dumps name variables and attributes", "[leaks]") {
  std::vector<MadeNode> nodes{{"root", "", 0}, {"object", "Template", 10}, {"object", "Hash", 10}};
  std::vector<MadeEdge> edges{{0, "reference", "1", 1}, {1, "reference", "%!rendered", 2}};
  for (std::uint32_t i = 0; i < 10; ++i) {
    nodes.push_back({"object", "Page", 100});
    edges.push_back({2, "reference", "$!value", i + 3});
  }
  Graph graph = make_v8_graph(nodes, edges);
  graph.rules = RetentionRules::references;
  const auto found = Heap(graph).suspects();
  REQUIRE(found.size() == 1);
  CHECK(found[0].fingerprint == analyze::hash_text("leak 1\n%!rendered of Template: Hash\n[]: Page"));
}

TEST_CASE("names lose what differs between builds and runs", "[leaks]") {
  using analyze::generalise_key;
  using analyze::generalise_name;
  CHECK(generalise_name("Vector3") == "Vector3");
  CHECK(generalise_name("Object / http://127.0.0.1:8080") == "Object");
  CHECK(generalise_name("main.3f2a9c1b.js") == "main.#.js");
  CHECK(generalise_name("deadbeef") == "deadbeef");
  CHECK(generalise_name("xyz1234deadbeef12") == "xyz#deadbeef12");
  CHECK(generalise_name(std::string(1000, 'g')) == std::string(200, 'g'));
  CHECK(generalise_name("request 48213 of a") == "request # of a");
  CHECK(generalise_name("<tr data-number=\"121\">") == "<tr>");
  CHECK(generalise_name("Detached <div>") == "Detached <div>");
  CHECK(generalise_key("user17{path=\"/5\"}") == "user#{path=\"/#\"}");
  CHECK(generalise_key("550e8400-e29b-41d4-a716-446655440000") == "#-e#b-#d#-a#-#");
  CHECK(generalise_key("sessions") == "sessions");
}
