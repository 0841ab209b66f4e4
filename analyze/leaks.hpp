// Finds the leaks among the nodes of a population, such as all nodes that are new since an earlier snapshot:
// groups of nodes to which the same steps of the program lead. spec: analysis.md#leaks
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "analyze/dominators.hpp"
#include "graph/breadth_first.hpp"
#include "graph/node_set.hpp"
#include "heapcheck/types/graph.hpp"
#include "heapcheck/types/suspects.hpp"

namespace heapcheck::analyze {

/// Sets the fingerprints of suspects, whose paths must be known.
void add_fingerprints(const Graph& graph, const Dominators& dominators, const DominatedNodes& dominated,
                      std::vector<Suspect>& suspects);

/// The type of a leak whose nodes are of several types that only V8 itself uses.
inline constexpr std::string_view internal_type = "(internal)";

/// The nodes that may leak.
struct Population {
  const graph::NodeSet& nodes;
  bool has_all_new = false;  ///< whether all other nodes existed before
};

/// The sizes that count for the retained sizes of leaks.
struct LeakSizes {
  const GraphColumn& of_nodes;              ///< in bytes; 0 for old nodes
  std::span<const std::uint64_t> retained;  ///< what each node retains of these sizes
  std::uint64_t all = 0;                    ///< the size to which the shares of leaks refer
  double least_share = 0;                   ///< leaks with less are left out
};

/// The leaks with their fingerprints, those that retain the most first, without their ways. `avoided` has the
/// nodes through which paths lead only if there is no other way. Each leak lists the nodes that leak,
/// starting with the one that retains the most, to which the path leads. Nodes inside them are not listed.
[[nodiscard]] std::vector<Suspect> find_leaks(const Graph& graph, const Retention& retention,
                                              const DominatedNodes& dominated, const Population& population,
                                              const graph::AvoidedNodes& avoided, const LeakSizes& sizes);

}  // namespace heapcheck::analyze
