#include "analyze/query.hpp"

#include "heapcheck/heap.hpp"
#include "tests/support/catch.hpp"

using namespace heapcheck;
using analyze::find_nodes;
using analyze::parse_query;

namespace {

Graph make_graph() {
  Graph graph;
  graph.node_kinds = {{.name = "root", .group = NodeGroup::root},
                      {.name = "object", .group = NodeGroup::object},
                      {.name = "type object", .group = NodeGroup::type_object}};
  const std::uint32_t opaque = graph.texts.add("P6opaque");
  struct Sample {
    std::uint8_t kind;
    std::string_view name;
    std::uint64_t size;
  };
  std::uint64_t id = 10;
  for (const Sample& node : std::initializer_list<Sample>{
           {0, "root", 0}, {1, "ABC", 24}, {1, "My ABC", 2048}, {2, "ABC", 8}, {1, "say \"hi\"", 1}}) {
    graph.node_kind.push_back(node.kind);
    graph.node_name.push_back(graph.texts.add(node.name));
    graph.node_size.push_back(node.size);
    graph.node_id.push_back(id++);
    graph.node_representation.push_back(node.kind == 0 ? Graph::no_text : opaque);
  }
  return graph;
}

/// Adds a node of the fourth kind.
void add_node(Graph& graph, std::string_view name) {
  graph.node_kind.push_back(3);
  graph.node_name.push_back(graph.texts.add(name));
  graph.node_size.push_back(8);
  graph.node_id.push_back(20);
  graph.node_representation.push_back(Graph::no_text);
}

std::vector<std::uint32_t> find(std::string_view text) {
  const auto query = parse_query(text);
  INFO(text);
  REQUIRE(query);
  return find_nodes(make_graph(), *query);
}

std::string error_of(std::string_view text) {
  const auto query = parse_query(text);
  return query ? std::string() : query.error().message;
}

using RowNumbers = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("a query finds the nodes that all conditions hold for", "[analyze]") {
  CHECK(find("nodes") == RowNumbers{0, 1, 2, 3, 4});
  CHECK(find("objects") == RowNumbers{1, 2, 4});
  CHECK(find("objects type=\"ABC\"") == RowNumbers{1});
  CHECK(find("  objects   type = ABC  ") == RowNumbers{1});
  CHECK(find("nodes name~ABC") == RowNumbers{1, 2, 3});
  CHECK(find("nodes name~ABC type!=ABC") == RowNumbers{2});
  CHECK(find("objects type=\"My ABC\" size>2047 size<=2K") == RowNumbers{2});
  CHECK(find("nodes kind=\"type object\"") == RowNumbers{3});
  CHECK(find("nodes repr=P6opaque size<8") == RowNumbers{4});
  CHECK(find("nodes id=@12") == RowNumbers{2});
  CHECK(find("types") == RowNumbers{3});
  CHECK(find("frames").empty());
  CHECK(find("nodes repr='P6opaque' size<=2KiB by size") == RowNumbers{2, 1, 3, 4});
  CHECK(find("nodes repr='P6opaque' size<=2 KiB by size") == RowNumbers{2, 1, 3, 4});
  CHECK(find(R"(objects type="say \"hi\"")") == RowNumbers{4});
}

TEST_CASE("a type means functions only if no node is of the type", "[analyze][places]") {
  Graph graph = make_graph();
  graph.node_kinds.push_back({.name = "closure", .group = NodeGroup::object, .type_name = "(closure)"});
  for (const std::string_view name : {"ABC", "onPrice"}) add_node(graph, name);
  const auto found = [&](std::string_view text) { return find_nodes(graph, *parse_query(text)); };
  CHECK(found("objects type=ABC") == RowNumbers{1});
  CHECK(found("objects type=onPrice") == RowNumbers{6});
  CHECK(found("objects type~onPr") == RowNumbers{6});
  CHECK(found("objects type=\"(closure)\"") == RowNumbers{5, 6});
}

TEST_CASE("the error about an unknown type says of which types the nodes with that name are", "[analyze]") {
  Graph graph = make_graph();
  graph.node_kinds.push_back({.name = "hidden", .group = NodeGroup::object, .type_name = "(system)"});
  add_node(graph, "system / PromiseReaction");
  const auto checked = [&](std::string_view text) { return check_texts(graph, *parse_query(text)); };
  CHECK(
      checked("nodes type=\"system / PromiseReaction\"").error().message ==
      "found no type \"system / PromiseReaction\", expected one that the snapshot has; nodes with this name "
      "are of the type (system): use name=");
  CHECK(checked("nodes name=\"system / PromiseReaction\""));
  CHECK(checked("nodes type=\"(system)\""));
  CHECK(checked("nodes type=ABD").error().message.ends_with("did you mean ABC"));
}

TEST_CASE("a text may be a name as answers print it, with its place", "[analyze][places]") {
  Graph graph = make_graph();
  graph.node_kinds.push_back({.name = "closure", .group = NodeGroup::object, .type_name = "(closure)"});
  const std::uint32_t file = graph.texts.add("app.js");
  graph.source_places = {{.file = file, .line = 41, .column = 1},
                         {.file = file, .line = 50},
                         {.file = file, .line = 41, .column = 9}};
  // Node 1 is an ABC, whose class starts where the functions ABC and onPrice do.
  graph.node_places = {{.node = 1, .place = 0}};
  std::uint32_t place = 0;
  for (const std::string_view name : {"ABC", "onPrice", "onPrice", "", "f (app.js:50)"}) {
    graph.node_places.push_back({.node = graph.node_count(), .place = place++ % 3});
    add_node(graph, name);
  }
  const auto found = [&](std::string_view text) { return find_nodes(graph, *parse_query(text)); };
  CHECK(found("nodes type=\"ABC (app.js:41)\"") == RowNumbers{1});
  CHECK(found("nodes kind=closure name=\"ABC (app.js:41)\"") == RowNumbers{5});
  CHECK(found("nodes type=\"onPrice (app.js:50)\"") == RowNumbers{6});
  CHECK(found("nodes type=\"onPrice (app.js:41)\"") == RowNumbers{7});
  CHECK(found("nodes type=\"<anon> (app.js:41)\"") == RowNumbers{8});
  CHECK(found("nodes type=\"f (app.js:50)\"") == RowNumbers{9});
  CHECK(found("nodes type=\"onPrice (app.js:42)\"").empty());
  CHECK(found("nodes type=\"onPric (app.js:41)\"").empty());
  CHECK(check_texts(graph, *parse_query("nodes type=\"onPrice (app.js:41)\"")));
  CHECK(!check_texts(graph, *parse_query("nodes type=\"onPrice (app.js:42)\"")));
}

TEST_CASE("the units of sizes are powers of 1024", "[analyze]") {
  const auto query = parse_query("nodes size=3K size=3KiB size=3M size=3MiB size=3G size=3GiB");
  REQUIRE(query);
  std::vector<std::uint64_t> sizes;
  for (const auto& condition : query->conditions) sizes.push_back(std::get<std::uint64_t>(condition.value));
  CHECK(sizes == std::vector<std::uint64_t>{3072, 3072, 3'145'728, 3'145'728, 3'221'225'472, 3'221'225'472});
}

TEST_CASE("a node is named by its id or by its row", "[analyze]") {
  const Heap heap(make_graph());
  CHECK(heap.find_node("12").value_or(99) == 2);
  CHECK(heap.find_node("@12").value_or(99) == 2);
  CHECK(heap.find_node("row:4").value_or(99) == 4);
  for (const std::string_view none : {"4", "@4", "row:5", "row:12", "row:", "@", ""})
    CHECK(!heap.find_node(none));
}

TEST_CASE("the error about a query names the word, its place, and what is expected", "[analyze]") {
  const std::string groups = "expected objects, types, stables, frames, strings, roots, nodes or detached";
  CHECK(error_of("") == "in the query, found the end at character 1, " + groups);
  CHECK(error_of("objcts size>1") ==
        "in the query, found \"objcts\" at character 1, " + groups + "; did you mean objects");
  CHECK(error_of("objectsize>1") ==
        "in the query, found \"objectsize>1\" at character 1, " + groups + "; did you mean objects");
  CHECK(error_of("object").ends_with(groups + "; did you mean objects"));
  CHECK(error_of("objects siz>1").ends_with("or by and an order; did you mean size"));
  CHECK(error_of("objects bye size").ends_with("or by and an order; did you mean by"));
  CHECK(error_of("objects by siz").ends_with("expected size, retained, allocated or id; did you mean size"));
  CHECK(error_of("objects colour=1") ==
        "in the query, found \"colour=1\" at character 9, expected type, repr, name, kind, "
        "detached, held-by, id, size, retained or allocated, or by and an order");
  CHECK(error_of("objects size ~ 5") ==
        "in the query, found \"~\" at character 14, expected =, !=, <, <=, > or >=, followed by a number");
  CHECK(error_of("objects type>ABC") ==
        "in the query, found \">ABC\" at character 13, expected =, != or ~, followed by text");
  CHECK(error_of("detachd") ==
        "in the query, found \"detachd\" at character 1, " + groups + "; did you mean detached");
  CHECK(error_of("nodes held-by~console") ==
        "in the query, found \"~console\" at character 14, expected = or !=, followed by detached-dom, "
        "console, "
        "event-handlers or contexts");
  CHECK(error_of("nodes held-by=consol") ==
        "in the query, found \"consol\" at character 15, expected detached-dom, console, event-handlers or "
        "contexts; did you mean console");
  CHECK(error_of("objects by held-by").contains("expected size, retained, allocated or id"));
  CHECK(error_of("objects size=big") ==
        "in the query, found \"big\" at character 14, expected a number below 2^64");
  CHECK(error_of("objects size=1e6") ==
        "in the query, found \"e6\" at character 15, expected K, KiB, M, MiB, G or GiB");
  CHECK(error_of("objects by type") ==
        "in the query, found \"type\" at character 12, expected size, retained, allocated or id");
  CHECK(error_of("objects by size id=1") ==
        "in the query, found \"id=1\" at character 17, expected the end of the query");
  CHECK(error_of("objects type=") ==
        "in the query, found the end at character 14, expected text, in quotes if it contains spaces");
  CHECK(error_of("objects size>18446744073709551615K") ==
        "in the query, found the end at character 35, expected a number below 2^64");
  CHECK(error_of("objects size>5 \"ABC") ==
        "in the query, found \"\"ABC\" at character 16, expected type, repr, name, kind, "
        "detached, held-by, id, size, retained or allocated, or by and an order");
}

TEST_CASE("a query finds nodes by when they were allocated", "[analyze]") {
  Graph graph = make_graph();
  graph.node_id = {1, 3, 5, 7, 8};
  graph.samples = {
      {.time = 0, .last_id = 1}, {.time = 1'999'999, .last_id = 3}, {.time = 2'000'001, .last_id = 5}};
  const auto find_in = [&graph](std::string_view text) {
    const auto query = parse_query(text);
    INFO(text);
    REQUIRE(query);
    return find_nodes(graph, *query);
  };
  CHECK(find_in("nodes allocated>2s") == RowNumbers{2});
  CHECK(find_in("nodes allocated < 2000 ms") == RowNumbers{0, 1});
  CHECK(find_in("nodes allocated>=1999999us") == RowNumbers{1, 2});
  CHECK(find_in("objects allocated>0s by allocated") == RowNumbers{2, 1});
  const auto found = Heap(std::move(graph)).find("nodes allocated<500ms");
  REQUIRE(found);
  CHECK(*found == RowNumbers{0});
}

TEST_CASE("a query by time needs a unit, and a snapshot with samples", "[analyze]") {
  CHECK(error_of("nodes allocated>2") == "in the query, found the end at character 18, expected s, ms or us");
  CHECK(error_of("nodes allocated>2K") == "in the query, found \"K\" at character 18, expected s, ms or us");
  CHECK(error_of("nodes allocated>soon").ends_with("expected a time such as 2s or 500ms"));
  CHECK(error_of("nodes allocated~2s").ends_with("expected =, !=, <, <=, > or >=, followed by a time"));
  CHECK(error_of("nodes allocated>18446744073709551615s").ends_with("expected a time below 2^64 us"));
  const auto found = Heap(make_graph()).find("nodes allocated>2s");
  REQUIRE(!found);
  CHECK(found.error().message.contains("found no samples"));
}
