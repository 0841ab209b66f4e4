#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/check.hpp"
#include "validate/catalog.hpp"

using namespace heapcheck;

namespace {

/// A snapshot of V8, or with another first string, in which 1,100 functions have a `map` edge and so do the
/// first `mapped` of three weak maps, which have one edge each. A last symbol has none, as in V8 7.2 to 7.5.
std::string make_snapshot_with_weak_maps(int mapped, std::string_view first_string = "<dummy>") {
  constexpr int functions = 1100;
  std::string nodes = fmt::format("9,1,1,0,{}", functions + 4);
  std::string root_edges;
  std::string edges;
  for (int i = 1; i <= functions + 3; ++i) {
    const bool is_weak_map = i > functions;
    nodes += fmt::format(",{},{},{},16,1", is_weak_map ? 3 : 5, is_weak_map ? 3 : 2, 2 * i + 1);
    root_edges += fmt::format("{}1,{},{}", i == 1 ? "" : ",", i, 5 * i);
    edges += fmt::format(",3,{},{}", is_weak_map && i > functions + mapped ? 5 : 4, 5);
  }
  nodes += fmt::format(",12,2,{},16,0", 2 * (functions + 4) + 1);
  root_edges += fmt::format(",1,{},{}", functions + 4, 5 * (functions + 4));
  return fmt::format(
      R"j({{"snapshot":{{"meta":{{"node_fields":["type","name","id","self_size","edge_count"],)j"
      R"j("node_types":[["hidden","array","string","object","code","closure","regexp","number","native","synthetic",)j"
      R"j("concatenated string","sliced string","symbol"],"string","number","number","number"],)j"
      R"j("edge_fields":["type","name_or_index","to_node"],)j"
      R"j("edge_types":[["context","element","property","internal","hidden","shortcut","weak"],)j"
      R"j("string_or_number","node"]}},"node_count":{},"edge_count":{}}},)j"
      R"j("nodes":[{}],"edges":[{}{}],"strings":["{}","","f","WeakMap","map","table"]}})j",
      functions + 5, 2 * (functions + 3) + 1, nodes, root_edges, edges, first_string);
}

/// The rules that the snapshot violates, with warnings or errors.
std::vector<std::string_view> find_violated(const std::string& snapshot) {
  std::vector<std::string_view> ids;
  for (const Finding& finding : tests::check(snapshot).findings) {
    if (finding.severity != Severity::note) ids.push_back(finding.rule->id);
  }
  return ids;
}

}  // namespace

TEST_CASE("nodes without a map edge are no damage if all nodes of their kind lack it", "[heapsnapshot]") {
  const std::vector<std::string_view> damage{"v8snap.edges.map"};
  CHECK(find_violated(make_snapshot_with_weak_maps(0)).empty());
  CHECK(find_violated(make_snapshot_with_weak_maps(1)) == damage);
  CHECK(find_violated(make_snapshot_with_weak_maps(2)) == damage);
  CHECK(find_violated(make_snapshot_with_weak_maps(3)).empty());
}

TEST_CASE("rules about how V8 writes name the files on which they were checked", "[heapsnapshot]") {
  const Rule* const rule = validation::find_rule("v8snap.strings.order");
  REQUIRE(rule != nullptr);
  CHECK(rule->engines.starts_with("V8 (checked on Node.js 6"));
  CHECK(validation::find_rule("v8snap.edges.count")->engines.empty());
}

TEST_CASE("the order of V8's edges is a law only for V8's files", "[heapsnapshot]") {
  CHECK(find_violated(make_snapshot_with_weak_maps(1, "(root)")).empty());
}
