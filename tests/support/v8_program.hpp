// A small program in a V8 heap snapshot, for tests of what leads to its memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/v8_graphs.hpp"

namespace heapcheck::tests {

/// Sets the place of a node. Nodes must be given in increasing order.
inline void add_place(Graph& graph, std::uint32_t node, std::string_view file, std::uint32_t line) {
  graph.node_places.push_back(
      {.node = node, .place = static_cast<std::uint32_t>(graph.source_places.size())});
  graph.source_places.push_back({.file = graph.texts.add(file), .line = line, .column = 1});
}

/// A module with a function `start`, whose variable `waiting` holds an array, and the function `poll`, which
/// uses the variable.
struct Program {
  std::vector<MadeNode> nodes{{"synthetic", "", 0},
                              {"object", "global", 10},
                              {"closure", "poll", 10},
                              {"object", "system / Context", 10},
                              {"object", "Array", 10},
                              {"code", "system / ScopeInfo", 10},
                              {"code", "start", 10},
                              {"closure", "start", 10},
                              {"object", "system / Context", 10}};
  std::vector<MadeEdge> edges{{0, "element", "1", 1},         {1, "property", "poll", 2},
                              {1, "property", "start", 7},    {2, "internal", "context", 3},
                              {3, "context", "waiting", 4},   {3, "internal", "scope_info", 5},
                              {3, "internal", "previous", 8}, {6, "internal", "name_or_scope_info", 5},
                              {7, "internal", "shared", 6},   {8, "internal", "previous", 1}};

  std::uint32_t add(std::uint32_t holder, std::string kind, std::string edge, std::string type,
                    std::uint64_t size) {
    nodes.push_back({"object", std::move(type), size});
    edges.push_back({holder, std::move(kind), std::move(edge), static_cast<std::uint32_t>(nodes.size() - 1)});
    return static_cast<std::uint32_t>(nodes.size() - 1);
  }
};

/// A call of the function with the index 7 that waits for a promise, which `holder` refers to. Returns the
/// array with its local variables.
inline std::uint32_t add_suspended_call(Program& program, std::uint32_t holder, std::string name) {
  const std::uint32_t promise = program.add(holder, "property", std::move(name), "Promise", 10);
  const std::uint32_t reaction =
      program.add(promise, "internal", "reactions_or_result", "system / PromiseReaction", 10);
  const std::uint32_t call = program.add(reaction, "internal", "0", "Generator", 10);
  const std::uint32_t variables = program.add(call, "internal", "parameters_and_registers", "", 10);
  program.nodes[variables].kind = "array";
  program.edges.push_back({call, "internal", "function", 7});
  return variables;
}

}  // namespace heapcheck::tests
