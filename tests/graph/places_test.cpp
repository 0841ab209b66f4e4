// Tests the places of nodes in source code (spec/analysis.md#places).
#include <fmt/format.h>

#include <functional>
#include <string>
#include <vector>

#include "graph/code_places.hpp"
#include "tests/support/graphs.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

struct Columns {
  std::string locations = "object_index\",\"script_id\",\"line\",\"column";
  std::string functions = "function_id\",\"name\",\"script_name\",\"script_id\",\"line\",\"column";
};

/// A snapshot with a root, a closure `f`, its shared function, its script and an object. An edge `shared`
/// leads from the closure to the shared function, an edge called `script_edge` leads from there to the
/// script, and an edge `name` leads from there to the string `a.js`.
std::string make_script_snapshot(const std::string& script_name, const std::string& script_edge,
                                 const std::string& locations, const Columns& columns = {}) {
  return R"({"snapshot":{"meta":{"node_fields":["type","name","id","self_size","edge_count"],)"
         R"("node_types":[["synthetic","closure","code","object","string"],"string","number","number","number"],)"
         R"("edge_fields":["type","name_or_index","to_node"],)"
         R"("edge_types":[["internal"],"string_or_number","node"],)"
         R"("location_fields":[")" +
         columns.locations +
         R"("]},"node_count":6,"edge_count":3},)"
         R"("nodes":[0,1,1,0,0, 1,2,3,8,1, 2,2,5,8,1, 2,3,7,8,1, 3,8,9,8,0, 4,4,11,8,0],)"
         R"("edges":[0,5,10, 0,6,15, 0,7,25],)" +
         (locations.empty() ? std::string() : "\"locations\":[" + locations + "],") +
         R"("strings":["<dummy>","root","f",")" + script_name + R"(","a.js","shared",")" + script_edge +
         R"(","name","Foo"]})";
}

/// `node file:line:column` for each place.
std::vector<std::string> places_of(const Graph& graph) {
  std::vector<std::string> places;
  for (const NodePlace& node : graph.node_places) {
    const SourcePlace& place = graph.source_places[node.place];
    const std::string file = place.file == Graph::no_text ? "?" : std::string(graph.texts[place.file]);
    places.push_back(fmt::format("{} {}:{}:{}", node.node, file, place.line, place.column));
  }
  return places;
}

std::vector<std::string> places_in(const std::string& text) {
  const auto graph = graph::make_graph(read_snapshot(text).snapshot, Limits{});
  REQUIRE(graph);
  return places_of(*graph);
}

using Places = std::vector<std::string>;

/// The smallest limit with which `make` makes a graph.
std::uint64_t find_least_memory(const std::function<Result<Graph>(const Limits&)>& make) {
  std::uint64_t least = 0;
  for (std::uint64_t step = 1U << 20U; step != 0; step /= 2) {
    if (!make({.max_memory = least + step - 1})) least += step;
  }
  return least;
}

std::uint64_t find_memory_of_snapshot(const std::string& text) {
  const auto reading = read_snapshot(text);
  return find_least_memory(
      [&reading](const Limits& limits) { return graph::make_graph(reading.snapshot, limits); });
}

/// A dump with a root, `frames` frames of one static frame, and `others` objects of a type.
std::uint64_t find_memory_of_dump(int frames, int others, const char* type) {
  Model model;
  for (const char* text : {"P6opaque", type, "main"}) model.tables.strings.add(text);
  model.tables.types.repr_name.push_back(0);
  model.tables.types.type_name.push_back(1);
  for (auto* column : {&model.tables.static_frames.name, &model.tables.static_frames.cuid,
                       &model.tables.static_frames.line, &model.tables.static_frames.file})
    column->push_back(2);
  mvmheap::Snapshot& snapshot = model.snapshots.emplace_back();
  const auto add = [&snapshot](std::uint64_t kind) {
    snapshot.collectables.kind.push_back(kind);
    for (auto* column : {&snapshot.collectables.type_or_frame_index, &snapshot.collectables.num_refs})
      column->push_back(0);
    snapshot.collectables.size.push_back(8);
    snapshot.collectables.unmanaged_size.push_back(0);
    snapshot.collectables.refs_start.push_back(0);
  };
  add(9);
  for (int i = 0; i < frames; ++i) add(4);
  for (int i = 0; i < others; ++i) add(1);
  snapshot.references.has_targets = true;
  return find_least_memory([&model](const Limits& limits) { return make_last_graph(model, limits); });
}

}  // namespace

TEST_CASE("a location names its script through a closure of the same script", "[graph][places]") {
  // The object comes first in the file, before any closure tells the name of script 7.
  const std::string locations = "20,7,4,0, 5,7,40,2";
  for (const std::string edge : {"script", "script_or_debug_info"}) {
    CHECK(places_in(make_script_snapshot("b.js", edge, locations)) == Places{"1 b.js:41:3", "4 b.js:5:1"});
  }
  CHECK(places_in(make_script_snapshot("b.js", "other", locations)) == Places{"1 ?:41:3", "4 ?:5:1"});
}

TEST_CASE("a script that is not named after its file has an edge to the name", "[graph][places]") {
  CHECK(places_in(make_script_snapshot("system / Script / a.js", "script", "5,7,0,0")) ==
        Places{"1 a.js:1:1"});
  CHECK(places_in(make_script_snapshot("", "script", "5,7,0,0")) == Places{"1 a.js:1:1"});
}

TEST_CASE("a location of Chrome 156 names its script itself", "[graph][places]") {
  const Columns columns{.locations =
                            "object_index\",\"script_id\",\"script_object_index\",\"line\",\"column"};
  CHECK(places_in(make_script_snapshot("b.js", "other", "20,7,15,4,0", columns)) == Places{"4 b.js:5:1"});
}

TEST_CASE("without locations, functions have the files of their scripts", "[graph][places]") {
  CHECK(places_in(make_script_snapshot("b.js", "script", "")) == Places{"1 b.js:0:0"});
}

TEST_CASE("locations of which one does not name a node are not used", "[graph][places]") {
  CHECK(places_in(make_script_snapshot("b.js", "script", "5,7,0,0, 6,7,0,0")).empty());
  CHECK(places_in(make_script_snapshot("b.js", "script", "5,7,0,0, 30,7,0,0")).empty());
}

TEST_CASE("of several locations of a node, the first counts", "[graph][places]") {
  CHECK(places_in(make_script_snapshot("b.js", "script", "5,7,1,0, 5,7,2,0")) == Places{"1 b.js:2:1"});
}

TEST_CASE("real snapshots have places", "[graph][places]") {
  const auto graph =
      graph::make_graph(read_snapshot(read_snapshot_seed("node-24-stacks.heaptimeline")).snapshot, Limits{});
  REQUIRE(graph);
  REQUIRE(!graph->node_places.empty());
  for (const NodePlace& node : graph->node_places) {
    CHECK(graph->node(node.node).place() == &graph->source_places[node.place]);
    CHECK(graph->source_places[node.place].line != 0);
  }
  CHECK(graph->source_places.size() <= graph->node_places.size());
  const auto known = std::ranges::find(graph->node_id, 56021U);
  REQUIRE(known != graph->node_id.end());
  const Node node = graph->node(static_cast<std::uint32_t>(known - graph->node_id.begin()));
  REQUIRE(node.place() != nullptr);
  CHECK(graph->texts[node.place()->file] == "node:internal/errors");
  CHECK(node.place()->line == 164);
  CHECK(node.place()->column == 32);
  CHECK(graph->node(0).place() == nullptr);
}

TEST_CASE("code objects of MoarVM have the place of a frame that runs their code", "[graph][places]") {
  Graph graph = make_graph_of({{1}, {2}, {}, {2}, {3}, {}});
  graph.node_kinds = {{.name = "root", .group = NodeGroup::root},
                      {.name = "frame", .group = NodeGroup::frame},
                      {.name = "object", .group = NodeGroup::object}};
  graph.node_kind = {0, 1, 2, 2, 2, 2};
  const std::uint32_t static_frame = graph.texts.add("BOOTStaticFrame");
  const std::uint32_t code = graph.texts.add("BOOTCode");
  graph.node_name = {0, graph.texts.add("work"), static_frame, code, graph.texts.add("Sub"), code};
  graph.edge_name[1] = graph.texts.add("Static frame");
  graph.source_places = {{.file = graph.texts.add("a.raku"), .line = 3}};
  graph.node_places = {{.node = 1}};
  graph::add_code_places(graph);
  CHECK(places_of(graph) == Places{"1 a.raku:3:0", "2 a.raku:3:0", "3 a.raku:3:0", "4 a.raku:3:0"});
}

TEST_CASE("places count towards the memory of a graph of V8", "[graph][places]") {
  const std::uint64_t one = find_memory_of_snapshot(make_script_snapshot("b.js", "script", "5,7,1,0"));
  const std::uint64_t two =
      find_memory_of_snapshot(make_script_snapshot("b.js", "script", "5,7,1,0, 25,7,5,0"));
  CHECK(two - one == sizeof(NodePlace) + sizeof(SourcePlace));
  // No node has two places, so there are at most as many places as nodes.
  std::string many = "5,7,1,0";
  for (int i = 0; i < 100; ++i) many += ", 5,7,1,0";
  CHECK(find_memory_of_snapshot(make_script_snapshot("b.js", "script", many)) - one ==
        5 * (sizeof(NodePlace) + sizeof(SourcePlace)));
  // Without locations, only closures have places, of which there is one.
  CHECK(find_memory_of_snapshot(make_script_snapshot("b.js", "script", "")) == one);
}

TEST_CASE("places count towards the memory of a graph of MoarVM", "[graph][places]") {
  const std::uint64_t one = find_memory_of_dump(1, 1, "Foo");
  const std::uint64_t node = find_memory_of_dump(1, 2, "Foo") - one;
  CHECK(node == Graph::node_bytes);
  CHECK(find_memory_of_dump(2, 1, "Foo") - one == node + sizeof(NodePlace));  // both have the same place
  CHECK(find_memory_of_dump(0, 1, "Foo") == one - node - sizeof(NodePlace) - sizeof(SourcePlace));
  const std::uint64_t code = find_memory_of_dump(1, 1, "Sub");
  CHECK(code == one + sizeof(NodePlace));
}
