// What the nodes of V8's heap snapshots are, by their kinds and names. No node of another format is one of
// these.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "graph/follow.hpp"
#include "heapcheck/types/graph.hpp"

namespace heapcheck::graph {

/// Whether a node is a function.
[[nodiscard]] inline bool is_closure(const Node& node) { return node.kind().name == "closure"; }

/// Whether this is the name of a node that holds the variables of a function, block, module or script. In
/// V8's `system / ContextCell`, there is only one variable.
[[nodiscard]] inline bool is_context_name(std::string_view name) {
  return name == "system / Context" || name.starts_with("system / Context / ");
}
[[nodiscard]] inline bool is_context(const Node& node) { return is_context_name(node.name()); }

/// Whether a node is a root whose references exist only for a moment: those of V8's own code that is running,
/// such as a compilation in the background. Source: V8's `VisitorSynchronization` (src/objects/visitors.h).
[[nodiscard]] inline bool is_momentary_root(const Node& node) {
  return node.kind().name == "synthetic" &&
         (node.name() == "(Handle scope)" || node.name() == "(Identity map)");
}

/// Whether an edge leads from a suspended call, which V8 calls *Generator*, to its arguments and local
/// variables. Such calls are those of async functions that wait, and of generators. Source: V8's
/// `ExtractJSGeneratorObjectReferences` (src/profiler/heap-snapshot-generator.cc).
[[nodiscard]] inline bool is_from_call(const Edge& edge) { return edge.name() == "parameters_and_registers"; }

/// Whether a node is a promise, or the record in a promise of what continues once it is settled.
[[nodiscard]] inline bool is_promise(const Node& node) {
  return node.name() == "Promise" || node.name() == "system / PromiseReaction";
}

/// The closure whose call is suspended; none for other nodes.
[[nodiscard]] inline std::optional<std::uint32_t> find_suspended(const Node& node) {
  return node.name() == "Generator" ? follow(node, "function") : std::nullopt;
}

}  // namespace heapcheck::graph
