// The sizes of nodes in each of several snapshots, by place. They show how a leak has grown even if the paths
// to it differ from snapshot to snapshot, and whether other nodes at its places have gone. spec:
// analysis.md#rising-leaks
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analyze/dominator_places.hpp"
#include "analyze/heap.hpp"
#include "heapcheck/types/suspects.hpp"

namespace heapcheck::analyze {

/// Places are the same as in estimate_new_sizes(). Keeps no graph.
class PlaceHistory {
 public:
  /// Adds a snapshot. The oldest one comes first.
  void add(const Heap& heap);
  /// For each snapshot, the total size of the nodes at the places that the leak has in the last one.
  [[nodiscard]] std::vector<double> find_sizes(const Suspect& leak) const;
  /// By how many bytes a leak in the last snapshot has grown in each step from one snapshot to the next,
  /// according to the sizes of all nodes at its places. Empty if these are no larger than in the first
  /// snapshot. The leak retains as much as it has grown since the first snapshot.
  [[nodiscard]] std::vector<double> find_growth(const Suspect& leak) const;

 private:
  using Sizes = std::unordered_map<DominatorPlace, std::uint64_t, DominatorPlaceHash>;  // KeyedHash

  TypeNumbers types_;
  std::vector<Sizes> sizes_;                 ///< by place, in each snapshot
  std::vector<DominatorPlace> last_places_;  ///< of the nodes of the last snapshot
};

}  // namespace heapcheck::analyze
