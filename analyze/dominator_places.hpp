// The positions of nodes in the dominator tree, by type. They show which nodes of several snapshots
// correspond to each other, whether or not the nodes have ids. spec: analysis.md#growth
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "analyze/dominators.hpp"
#include "formats/core/keyed_hash.hpp"
#include "heapcheck/types/graph.hpp"

namespace heapcheck::analyze {

/// Assigns numbers to the types of nodes: a type has the same number in all graphs. Owns the names of types,
/// so that no graph has to be kept.
class TypeNumbers {
 public:
  /// The number of the type of each node.
  [[nodiscard]] std::vector<std::uint32_t> number(const Graph& graph);

 private:
  /// Kind, name and representation.
  using Type = std::tuple<std::string, std::string, std::string>;

  std::map<Type, std::uint32_t, std::less<>> numbers_;
};

/// The numbers of the types of a node and of its two nearest dominators.
using DominatorPlace = std::array<std::uint32_t, 3>;

struct DominatorPlaceHash : core::KeyedHash {
  std::size_t operator()(const DominatorPlace& place) const {
    return combine(KeyedHash::operator()(place[0]), std::uint64_t{place[1]} << 32U | place[2]);
  }
};

/// The place of each node.
[[nodiscard]] std::vector<DominatorPlace> find_places(const Graph& graph, const Dominators& dominators,
                                                      TypeNumbers& types);

}  // namespace heapcheck::analyze
