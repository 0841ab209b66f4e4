// Tests which functions are found for variables (spec/analysis.md#what-leads-there).
#include "analyze/context_functions.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/v8_graphs.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

/// `outer` declares a variable that `first` and `second` use: the nodes by name.
struct Scopes {
  enum Index : std::uint32_t {
    root,
    module,
    context,
    scope,
    outer_shared,
    outer,
    first,
    second,
    value,
    count
  };
  std::vector<MadeNode> nodes{{"synthetic", "", 0},
                              {"object", "system / Context", 10},
                              {"object", "system / Context", 10},
                              {"code", "system / ScopeInfo", 10},
                              {"code", "outer", 10},
                              {"closure", "outer", 10},
                              {"closure", "first", 10},
                              {"closure", "second", 10},
                              {"object", "Array", 10}};
  std::vector<MadeEdge> edges{{root, "property", "run", first},
                              {root, "property", "stop", second},
                              {root, "property", "outer", outer},
                              {context, "internal", "scope_info", scope},
                              {context, "internal", "previous", module},
                              {context, "context", "all", value},
                              {outer_shared, "internal", "name_or_scope_info", scope},
                              {outer, "internal", "shared", outer_shared},
                              {outer, "internal", "context", module},
                              {first, "internal", "context", context},
                              {second, "internal", "context", context}};

  [[nodiscard]] Graph make() const { return make_v8_graph(nodes, edges); }
};

/// A suspect to which a path through these nodes leads.
Suspect make_suspect(const std::vector<std::uint32_t>& nodes) {
  Suspect suspect;
  for (const std::uint32_t node : nodes) suspect.path.push_back({.node = node, .edge = std::nullopt});
  return suspect;
}

std::vector<analyze::ContextFunctions> find(const Graph& graph, const std::vector<std::uint32_t>& path) {
  const Suspect suspect = make_suspect(path);
  return analyze::find_context_functions(graph, {&suspect, 1});
}

using Known = std::optional<std::uint32_t>;

}  // namespace

TEST_CASE("a variable belongs to the function whose scope its context has", "[suspects][contexts]") {
  const Scopes scopes;
  const auto found = find(scopes.make(), {Scopes::root, Scopes::second, Scopes::context, Scopes::value});
  REQUIRE(found.size() == 1);
  CHECK(found[0].context == Scopes::context);
  CHECK(found[0].declaring == Known(Scopes::outer));
  CHECK_FALSE(found[0].is_outermost);
}

TEST_CASE("the function on the path is the one that uses a variable", "[suspects][contexts]") {
  Graph graph = Scopes().make();
  // A place makes a function a better example, but not better than the one on the path.
  graph.source_places = {{.file = Graph::no_text, .line = 3}};
  graph.node_places = {{.node = Scopes::first}};
  CHECK(find(graph, {Scopes::root, Scopes::second, Scopes::context})[0].using_it == Known(Scopes::second));
}

TEST_CASE("without a function on the path, one with a place is found", "[suspects][contexts]") {
  Graph graph = Scopes().make();
  CHECK(find(graph, {Scopes::root, Scopes::context})[0].using_it == Known(Scopes::first));
  graph.source_places = {{.file = Graph::no_text, .line = 3}};
  graph.node_places = {{.node = Scopes::second}};
  CHECK(find(graph, {Scopes::root, Scopes::context})[0].using_it == Known(Scopes::second));
}

TEST_CASE("of several functions, the first one in the script that does not declare the variable uses it",
          "[suspects][contexts]") {
  Scopes scopes;
  scopes.edges.push_back({Scopes::module, "internal", "scope_info", Scopes::scope});
  scopes.edges.push_back({Scopes::first, "internal", "context", Scopes::module});
  scopes.edges.push_back({Scopes::second, "internal", "context", Scopes::module});
  Graph graph = scopes.make();
  graph.node_places = {{.node = Scopes::outer, .place = 0},
                       {.node = Scopes::first, .place = 1},
                       {.node = Scopes::second, .place = 2}};
  const auto find_user = [&](const SourcePlace& first, const SourcePlace& second) {
    graph.source_places = {{.file = Graph::no_text, .line = 1}, first, second};
    const auto found = find(graph, {Scopes::root, Scopes::module});
    CHECK(found[0].declaring == Known(Scopes::outer));
    return found[0].using_it;
  };
  CHECK(find_user({.line = 3}, {.line = 5}) == Known(Scopes::first));
  CHECK(find_user({.line = 5}, {.line = 3}) == Known(Scopes::second));
  CHECK(find_user({.line = 5, .column = 9}, {.line = 5, .column = 2}) == Known(Scopes::second));
}

TEST_CASE("a function without a closure is named by its shared function", "[suspects][contexts]") {
  Scopes scopes;
  std::erase_if(scopes.edges, [](const MadeEdge& edge) { return edge.name == "shared"; });
  CHECK(find(scopes.make(), {Scopes::root, Scopes::context})[0].declaring == Known(Scopes::outer_shared));
}

TEST_CASE("a context whose scope no function has belongs to no function", "[suspects][contexts]") {
  Scopes scopes;
  std::erase_if(scopes.edges, [](const MadeEdge& edge) { return edge.name == "name_or_scope_info"; });
  CHECK_FALSE(find(scopes.make(), {Scopes::root, Scopes::context})[0].declaring);
  // Another context with the same scope, as of a function that was called twice, is no function.
  scopes.edges.push_back({Scopes::module, "internal", "scope_info", Scopes::scope});
  CHECK_FALSE(find(scopes.make(), {Scopes::root, Scopes::context})[0].declaring);
}

TEST_CASE("the context of a module has no context around it", "[suspects][contexts]") {
  const auto found = find(Scopes().make(), {Scopes::root, Scopes::outer, Scopes::module, Scopes::context});
  REQUIRE(found.size() == 2);
  CHECK(found[0].context == Scopes::module);
  CHECK(found[0].is_outermost);
  CHECK(found[0].using_it == Known(Scopes::outer));
  CHECK_FALSE(found[1].is_outermost);
}

TEST_CASE("a context on several paths is found once, and a path without contexts finds nothing",
          "[suspects][contexts]") {
  const Graph graph = Scopes().make();
  const std::vector<Suspect> suspects{make_suspect({Scopes::root, Scopes::first, Scopes::context}),
                                      make_suspect({Scopes::root, Scopes::second, Scopes::context})};
  const auto found = analyze::find_context_functions(graph, suspects);
  REQUIRE(found.size() == 1);
  CHECK(found[0].using_it == Known(Scopes::first));
  CHECK(find(graph, {Scopes::root, Scopes::first}).empty());
}
