// Finds what else holds suspects, which would therefore not be freed if only what their paths show were
// freed.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "analyze/heap.hpp"
#include "heapcheck/types/answers.hpp"

namespace heapcheck::analyze::answers {

/// What holds the nodes on some paths apart from the nodes before them. Borrows the heap.
class OtherHolders {
 public:
  /// Takes time linear in the size of the graph, for all paths together.
  OtherHolders(const Heap& heap, std::span<const Suspect> suspects);

  /// A line about the last node on one of the paths that is also held by something other than the node before
  /// it, such as `Map @15 is also held by Registry (app.js:12) @77 through entries, and 1 other`. Empty if
  /// there is no such node. Roots and nodes that the node itself holds do not count, and neither do the
  /// variables of functions, because several functions usually share them.
  [[nodiscard]] std::string describe(const std::vector<PathStep>& path) const;

 private:
  /// An edge and its source.
  struct Holding {
    std::uint64_t edge;
    std::uint32_t source;
  };

  void find(const graph::NodeSet& wanted);

  const Heap& heap_;
  std::map<std::uint32_t, std::vector<Holding>> holders_;  ///< one edge from each holder of a node
};

}  // namespace heapcheck::analyze::answers
