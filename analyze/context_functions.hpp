// Finds the functions to which variables belong in V8's heap snapshots. Reads the graph and the paths of the
// suspects. spec: analysis.md#what-leads-there
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "heapcheck/types/answers.hpp"
#include "heapcheck/types/graph.hpp"

namespace heapcheck::analyze {

/// The function that declares the variables in one of V8's contexts, and a function that uses them.
struct ContextFunctions {
  std::uint32_t context = 0;
  std::optional<std::uint32_t> declaring = {};  ///< a closure or, if there is none, the shared function
  std::optional<std::uint32_t> using_it = {};   ///< a closure
  bool is_outermost = false;                    ///< whether the variables are those of a module or script
};

/// A context, and a closure that uses its variables, if one is known.
struct ContextUse {
  std::uint32_t context = 0;
  std::optional<std::uint32_t> closure = {};
};

/// Finds the functions for all contexts that are used, in increasing order of the contexts. Of several uses
/// of one context, the first counts. Takes time linear in the number of edges.
[[nodiscard]] std::vector<ContextFunctions> find_context_functions(const Graph& graph,
                                                                   std::span<const ContextUse> uses);
/// Does the same for all contexts on the paths of the suspects.
[[nodiscard]] std::vector<ContextFunctions> find_context_functions(const Graph& graph,
                                                                   std::span<const Suspect> suspects);
/// The functions of a context; null if it was not used.
[[nodiscard]] const ContextFunctions* functions_of(std::span<const ContextFunctions> contexts,
                                                   std::uint32_t context);

}  // namespace heapcheck::analyze
