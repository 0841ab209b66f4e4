#include "analyze/context_functions.hpp"

#include <algorithm>
#include <cstddef>
#include <map>

#include "graph/follow.hpp"
#include "graph/node_set.hpp"

namespace heapcheck::analyze {
namespace {

/// Whether no other context surrounds a context, as for the variables of a module or script.
bool is_outermost_context(const Graph& graph, std::uint32_t context) {
  const auto outer = graph::follow(graph.node(context), "previous");
  return !outer || !is_context(graph.node(*outer));
}

std::vector<ContextFunctions> list_contexts(const Graph& graph, std::span<const ContextUse> uses) {
  std::map<std::uint32_t, std::optional<std::uint32_t>> closures;
  for (const ContextUse& use : uses) closures.try_emplace(use.context, use.closure);
  std::vector<ContextFunctions> contexts;
  for (const auto& [context, closure] : closures) {
    contexts.push_back(
        {.context = context, .using_it = closure, .is_outermost = is_outermost_context(graph, context)});
  }
  return contexts;
}

}  // namespace

std::vector<ContextFunctions> find_context_functions(const Graph& graph, std::span<const ContextUse> uses) {
  std::vector<ContextFunctions> contexts = list_contexts(graph, uses);
  if (contexts.empty()) return contexts;
  std::map<std::uint32_t, std::uint32_t> shared_of;  // the function that each scope belongs to
  std::map<std::uint32_t, std::optional<std::uint32_t>> closure_of;  // by function
  std::map<std::uint32_t, ContextFunctions*> by_context;
  graph::NodeSet on_path(graph.node_count());  // closures that were found on a path, which win
  graph::NodeSet wanted(graph.node_count());   // contexts and their scopes
  for (ContextFunctions& functions : contexts) {
    by_context.emplace(functions.context, &functions);
    if (functions.using_it) on_path.add(*functions.using_it);
    wanted.add(functions.context);
    if (const auto scope = graph::follow(graph.node(functions.context), "scope_info")) wanted.add(*scope);
  }
  const auto for_each_wanted = [&](auto use) {
    for (std::uint32_t node = 0; node < graph.node_count(); ++node) {
      for (std::uint64_t edge = graph.first_edge[node]; edge < graph.first_edge[std::size_t{node} + 1];
           ++edge) {
        if (wanted.has(graph.edge_target[static_cast<std::size_t>(edge)]))
          use(graph.node(node), Edge(graph, edge));
      }
    }
  };
  for_each_wanted([&](const Node& node, const Edge& edge) {
    if (edge.name() == "name_or_scope_info" || edge.name() == "scope_info") {
      if (!is_context(node)) shared_of.emplace(edge.target(), node.index());
    } else if (edge.name() == "context" && node.kind().name == "closure") {
      const auto found = by_context.find(edge.target());
      if (found == by_context.end()) return;  // a scope, which no intact file has here
      auto& user = found->second->using_it;
      const bool is_better =
          !user || (!on_path.has(*user) && graph.node(*user).place() == nullptr && node.place() != nullptr);
      if (is_better) user = node.index();
    }
  });
  wanted = graph::NodeSet(graph.node_count());
  for (const auto& [scope, shared] : shared_of) {
    closure_of.emplace(shared, std::nullopt);
    wanted.add(shared);
  }
  for_each_wanted([&](const Node& node, const Edge& edge) {
    auto& closure = closure_of[edge.target()];
    if (!closure && edge.name() == "shared" && node.kind().name == "closure") closure = node.index();
  });
  for (ContextFunctions& functions : contexts) {
    const auto scope = graph::follow(graph.node(functions.context), "scope_info");
    const auto shared = scope ? shared_of.find(*scope) : shared_of.end();
    if (shared == shared_of.end()) continue;
    functions.declaring = closure_of[shared->second].value_or(shared->second);
  }
  return contexts;
}

std::vector<ContextFunctions> find_context_functions(const Graph& graph, std::span<const Suspect> suspects) {
  std::vector<ContextUse> uses;
  for (const Suspect& suspect : suspects) {
    for (std::size_t i = 0; i < suspect.path.size(); ++i) {
      const std::uint32_t node = suspect.path[i].node;
      if (!is_context(graph.node(node))) continue;
      // The function on the path itself is the best example of one that uses the variable.
      const std::uint32_t before = i == 0 ? node : suspect.path[i - 1].node;
      const bool is_closure = graph.node(before).kind().name == "closure";
      uses.push_back({node, is_closure ? std::optional(before) : std::nullopt});
    }
  }
  return find_context_functions(graph, uses);
}

const ContextFunctions* functions_of(std::span<const ContextFunctions> contexts, std::uint32_t context) {
  const auto found = std::ranges::lower_bound(contexts, context, {}, &ContextFunctions::context);
  return found == contexts.end() || found->context != context ? nullptr : &*found;
}

}  // namespace heapcheck::analyze
