#include "analyze/context_functions.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "graph/follow.hpp"
#include "graph/node_set.hpp"
#include "graph/v8_nodes.hpp"

namespace heapcheck::analyze {
namespace {

/// Whether a context is not inside another context, like that of the variables of a module or script.
bool is_outermost_context(const Graph& graph, std::uint32_t context) {
  const auto outer = graph::follow(graph.node(context), "previous");
  return !outer || !graph::is_context(graph.node(*outer));
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

/// Adds the functions to the contexts. Only looks at the names of edges that lead to a context or scope, or
/// that start at a closure.
class FunctionFinder {
 public:
  FunctionFinder(const Graph& graph, std::span<ContextFunctions> contexts)
      : graph_(graph), wanted_(graph.node_count()) {
    for (ContextFunctions& functions : contexts) {
      by_context_.emplace(functions.context, &functions);
      wanted_.add(functions.context);
      if (const auto scope = scope_of(functions)) wanted_.add(*scope);
    }
  }

  void run() {
    find_users_and_shared();
    find_closures();
    for (auto& [context, functions] : by_context_) {
      const auto scope = scope_of(*functions);
      const auto shared = scope ? shared_of_.find(*scope) : shared_of_.end();
      if (shared != shared_of_.end())
        functions->declaring = closure_of_[shared->second].value_or(shared->second);
      functions->using_it = choose_user(*functions);
    }
  }

 private:
  /// The two functions that come first in the script, among those that use the variables of a context.
  struct Users {
    std::optional<std::uint32_t> first, second;
  };

  [[nodiscard]] std::optional<std::uint32_t> scope_of(const ContextFunctions& functions) const {
    return graph::follow(graph_.node(functions.context), "scope_info");
  }

  void find_users_and_shared() {
    std::uint32_t source = 0;
    for (std::uint64_t i = 0; i < graph_.edge_count(); ++i) {
      if (!wanted_.has(graph_.edge_target[static_cast<std::size_t>(i)])) continue;
      while (graph_.first_edge[source + std::size_t{1}] <= i) ++source;
      const Edge edge(graph_, i);
      if (edge.name() == "name_or_scope_info" || edge.name() == "scope_info") {
        if (!graph::is_context(graph_.node(source))) shared_of_.emplace(edge.target(), source);
      } else if (edge.name() == "context" && graph::is_closure(graph_.node(source))) {
        add_user(edge.target(), source);
      }
    }
  }

  void add_user(std::uint32_t context, std::uint32_t closure) {
    const auto found = by_context_.find(context);
    if (found == by_context_.end()) return;  // a scope, which no intact file has here
    auto& [first, second] = users_of_[context];
    if (!first || comes_first(closure, *first))
      second = std::exchange(first, closure);
    else if (!second || comes_first(closure, *second))
      second = closure;
  }

  /// A function that uses the variables of a context. One that was found on a path takes precedence;
  /// otherwise, it is the first one in the script that does not itself declare the variables.
  [[nodiscard]] std::optional<std::uint32_t> choose_user(const ContextFunctions& functions) const {
    const auto found = users_of_.find(functions.context);
    if (functions.using_it || found == users_of_.end()) return functions.using_it;
    const auto& [first, second] = found->second;
    return second && first == functions.declaring ? second : first;
  }

  /// Whether a function is earlier in its script than another. Nodes have another order each time that the
  /// same program runs.
  [[nodiscard]] bool comes_first(std::uint32_t closure, std::uint32_t other) const {
    const SourcePlace* const place = graph_.node(closure).place();
    const SourcePlace* const other_place = graph_.node(other).place();
    if (place == nullptr || other_place == nullptr) return place != nullptr && other_place == nullptr;
    return std::tuple(place->line, place->column, file_of(*place)) <
           std::tuple(other_place->line, other_place->column, file_of(*other_place));
  }

  [[nodiscard]] std::string_view file_of(const SourcePlace& place) const {
    return place.file == Graph::no_text ? std::string_view() : graph_.texts[place.file];
  }

  void find_closures() {
    for (const auto& [scope, shared] : shared_of_) closure_of_.emplace(shared, std::nullopt);
    if (closure_of_.empty()) return;
    for (std::uint32_t node = 0; node < graph_.node_count(); ++node) {
      if (!graph::is_closure(graph_.node(node))) continue;
      for (const Edge edge : graph_.node(node).edges()) {
        if (edge.name() != "shared") continue;
        const auto found = closure_of_.find(edge.target());
        if (found != closure_of_.end() && !found->second) found->second = node;
      }
    }
  }

  const Graph& graph_;
  std::map<std::uint32_t, ContextFunctions*> by_context_;
  std::map<std::uint32_t, Users> users_of_;           // by context
  graph::NodeSet wanted_;                             // contexts and their scopes
  std::map<std::uint32_t, std::uint32_t> shared_of_;  // the function that each scope belongs to
  std::map<std::uint32_t, std::optional<std::uint32_t>> closure_of_;  // by function
};

}  // namespace

std::vector<ContextFunctions> find_context_functions(const Graph& graph, std::span<const ContextUse> uses) {
  std::vector<ContextFunctions> contexts = list_contexts(graph, uses);
  if (!contexts.empty()) FunctionFinder(graph, contexts).run();
  return contexts;
}

std::vector<ContextFunctions> find_context_functions(const Graph& graph, std::span<const Suspect> suspects) {
  std::vector<ContextUse> uses;
  for (const Suspect& suspect : suspects) {
    for (std::size_t i = 0; i < suspect.path.size(); ++i) {
      const std::uint32_t node = suspect.path[i].node;
      if (!graph::is_context(graph.node(node))) continue;
      // The function on the path itself is the best example of one that uses the variable.
      const std::uint32_t before = i == 0 ? node : suspect.path[i - 1].node;
      const bool is_used = graph::is_closure(graph.node(before));
      uses.push_back({node, is_used ? std::optional(before) : std::nullopt});
    }
  }
  return find_context_functions(graph, uses);
}

const ContextFunctions* functions_of(std::span<const ContextFunctions> contexts, std::uint32_t context) {
  const auto found = std::ranges::lower_bound(contexts, context, {}, &ContextFunctions::context);
  return found == contexts.end() || found->context != context ? nullptr : &*found;
}

}  // namespace heapcheck::analyze
