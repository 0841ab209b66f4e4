// The sizes of nodes in each of several snapshots, by place. They show how a leak has grown if nodes cannot
// be identified, even though the paths to it differ from snapshot to snapshot. spec: analysis.md#rising-leaks
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analyze/heap.hpp"
#include "formats/core/keyed_hash.hpp"
#include "heapcheck/types/suspects.hpp"

namespace heapcheck::analyze {

/// A place is the kind, type and representation of a node and of its two nearest dominators, as in
/// estimate_new_sizes(). Keeps no graph.
class PlaceHistory {
 public:
  /// Adds a snapshot. The oldest one comes first.
  void add(const Heap& heap);
  /// By how many bytes a leak in the last snapshot has grown in each step from one snapshot to the next,
  /// according to the sizes of all nodes at its places. Empty if these are no larger than in the first
  /// snapshot. `last` is the heap that was added last. The leak retains as much as it has grown since the
  /// first snapshot.
  [[nodiscard]] std::vector<double> find_growth(const Heap& last, const Suspect& leak) const;

 private:
  std::vector<std::unordered_map<std::uint64_t, std::uint64_t, core::KeyedHash>>
      sizes_;  ///< by the hash of the place
};

}  // namespace heapcheck::analyze
