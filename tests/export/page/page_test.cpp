// Tests the data of the page, and that nothing in the data can affect the rest of the page.
#include "export/page/page.hpp"

#include <string>

#include "heapcheck/page.hpp"
#include "tests/support/graphs.hpp"

using namespace heapcheck;
using namespace heapcheck::exports::page;

namespace {

/// As much data of each kind as possible, with the name that takes up the most space.
PageData make_most(const std::string& name) {
  PageData data;
  data.files.assign(most_files, {.name = name, .findings = {}});
  data.files[0].findings.assign(most_findings, {.severity = "error", .id = name, .message = name});
  data.positions.assign(most_positions, {.file = name, .snapshot = UINT64_MAX, .total = {}});
  Series series{.name = name, .totals = {}};
  series.totals.assign(most_positions, {.count = 1'000'000, .size = 10'000'000, .retained = 10'000'000});
  data.type_series.assign(5 * most_series / 2, series);
  data.kind_series.assign(most_series, series);
  return data;
}

void add_types(PageData& data, const std::string& name, std::size_t groups) {
  const NodeTotals totals{.name = name, .count = UINT64_MAX, .size = UINT64_MAX, .retained = UINT64_MAX};
  data.types.assign(groups * 2 * most_rows, {.kind = "objects", .totals = totals});
}

void add_tree(PageData& data, const std::string& name, const char* key, std::size_t places = most_places) {
  const bool is_live = places == most_live_places;
  data.trees.push_back({.key = key, .places = {}, .is_cut = true, .has_allocated = is_live});
  data.trees.back().places.assign(places, {.depth = 1,
                                           .name = name,
                                           .count = UINT64_MAX,
                                           .size = UINT64_MAX,
                                           .held = UINT64_MAX,
                                           .allocated_count = UINT64_MAX,
                                           .allocated_size = UINT64_MAX});
}

/// The same for allocations by call stack.
PageData make_most_stacks(const std::string& name) {
  PageData data = make_most(name);
  add_types(data, name, 2);
  add_tree(data, name, "stacks");
  add_tree(data, name, "inverted");
  return data;
}

/// The same for graphs.
PageData make_most_graphs(const std::string& name) {
  PageData data = make_most(name);
  add_types(data, name, 5);
  add_tree(data, name, "dominators");
  const Step step{.edge = name, .name = name, .id = UINT64_MAX};
  SuspectRow suspect{.type = name, .holder = step, .way = name, .contents = {}, .path = {}};
  suspect.contents.assign(most_contents, name);
  suspect.path.assign(most_steps, step);
  suspect.places.assign(most_marks, most_places);
  data.suspects.assign(most_suspects, suspect);
  data.growth = GrowthRow{.suspects = {}};
  data.growth->suspects.assign(most_new_suspects, suspect);
  return data;
}

/// The same for timelines, whose nodes are objects or of other kinds, and which may have stacks.
PageData make_most_timelines(const std::string& name) {
  PageData data = make_most_graphs(name);
  add_types(data, name, 2);
  add_tree(data, name, "stacks", most_live_places);
  add_tree(data, name, "inverted", most_live_places);
  return data;
}

}  // namespace

TEST_CASE("a long name is cut between characters", "[page]") {
  CHECK(cut_name("short") == "short");
  CHECK(cut_name(std::string(1000, 'x')).size() == most_name_bytes);
  std::string umlauts = "x";
  for (int i = 0; i < 100; ++i) umlauts += "\xc3\xa4";
  const std::string cut = cut_name(umlauts);
  CHECK(cut.size() <= most_name_bytes);
  CHECK(cut.ends_with("\xc3\xa4\xe2\x80\xa6"));
}

TEST_CASE("a name with a place takes up no more room than a name without one", "[page][places]") {
  const heapcheck::Place place{.file = "src/app.js", .line = 41, .column = 3};
  CHECK(name_with_place("get", {}) == "get");
  CHECK(name_with_place("get", place) == "get (app.js:41)");
  CHECK(name_with_place("", place) == "<anon> (app.js:41)");
  CHECK(name_with_place("get", {.file = "app.js"}) == "get (app.js)");
  CHECK(name_with_place("get", {.line = 41}) == "get (?:41)");
  const std::string longest = name_with_place(
      std::string(1000, 'x'), {.file = std::string(1000, 'y'), .line = UINT32_MAX, .column = UINT32_MAX});
  CHECK(longest.size() <= most_name_bytes);
  CHECK(longest.ends_with(":4294967295)"));
}

TEST_CASE("a page is at most 3 MB", "[page]") {
  for (const char letter : {'<', '\x01', '\xff'}) {
    const std::string name = cut_name(std::string(1000, letter));
    CHECK(make_page(make_most_stacks(name)).size() <= 3'000'000);
    CHECK(make_page(make_most_graphs(name)).size() <= 3'000'000);
    CHECK(make_page(make_most_timelines(name)).size() <= 3'000'000);
  }
}

TEST_CASE("a name cannot end the data of a page", "[page]") {
  PageData data;
  data.main.file = "</script><!--<script>";
  const std::string page = make_page(data);
  CHECK(page.find("</script><!--") == std::string::npos);
  CHECK(page.find("\\u003c/script>\\u003c!--\\u003cscript>") != std::string::npos);
  CHECK(page.starts_with(page_start()));
  CHECK(page.ends_with(page_end()));
}

TEST_CASE("of a long path to a suspect, a page shows the first and the last steps", "[page]") {
  tests::EdgeLists edges(41);  // a path of nodes, each of which holds the next one
  for (std::uint32_t node = 0; node < 40; ++node) edges[node].push_back(node + 1);
  Graph graph = tests::make_graph_of(edges);
  for (std::uint32_t node = 1; node <= 40; ++node)
    graph.node_name[node] = graph.texts.add("T" + std::to_string(node));
  graph.node_size.set(40, 1000);
  PageData data;
  const auto described = describe_heap(analyze::Heap(std::move(graph)), data);
  REQUIRE(described);
  REQUIRE(data.suspects.size() == 1);
  const SuspectRow& suspect = data.suspects[0];
  REQUIRE(suspect.path.size() == most_steps);
  CHECK(suspect.left_out == 41 - most_steps);
  CHECK(suspect.path[7].name == "T7");
  CHECK(suspect.path[8].name == "T33");
  CHECK(suspect.path[15].name == "T40");
}

TEST_CASE("of many snapshots, a page shows 100, among them the first and the last", "[page]") {
  std::vector<Position> positions;
  for (std::uint64_t i = 0; i < 250; ++i) positions.push_back({.file = "a", .snapshot = i, .total = {}});
  PageData data;
  describe_series(analyze::Differences(), analyze::Differences(), {}, positions, data);
  REQUIRE(data.positions.size() == 100);
  CHECK(data.positions_left_out == 150);
  CHECK(data.positions.front().snapshot == 0);
  CHECK(data.positions.back().snapshot == 249);
}

TEST_CASE("the page allows only its own script and style", "[page]") {
  const std::string_view start = page_start();
  CHECK(start.find("default-src 'none'; script-src 'sha256-") != std::string_view::npos);
  CHECK(start.find("unsafe") == std::string_view::npos);
  CHECK(start.find("{{") == std::string_view::npos);
  CHECK(page_end().find("eval(") == std::string_view::npos);
}

TEST_CASE("a report without a dump is an error", "[page]") {
  HeapPage report;
  const auto page = report.make_page();
  REQUIRE(!page);
  CHECK(page.error().kind == ErrorKind::unsupported);
}
