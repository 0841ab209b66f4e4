// Ids for the nodes of a MoarVM dump, which has no ids. Tools use ids to compare snapshots.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "heapcheck/types/graph.hpp"

namespace heapcheck::exports::heapsnapshot {

/// The ids that are in use. Ids are odd, as in V8's snapshots. The choice of ids does not depend on the hash
/// key of the process.
class TakenIds {
 public:
  /// Has room for at most `count` ids. Uses up to 16 bytes for each id, and twice as many if long runs of ids
  /// are in use.
  explicit TakenIds(std::size_t count);

  /// Takes and returns the first free id, starting the search at `id`. The id after the last one is 1.
  std::uint32_t take(std::uint32_t id);

 private:
  [[nodiscard]] std::size_t find_slot(std::uint32_t id) const;
  std::uint32_t next_after(std::size_t slot);

  std::vector<std::uint32_t> slots_;  // with open addressing; 0: free; a power of two
  /// By slot: an id such that all ids from the slot's own id up to it are in use. 0 means the next id. Empty
  /// until many steps have been necessary.
  std::vector<std::uint32_t> jumps_;
  std::size_t steps_left_;
};

/// One id for each node: odd, below 2^32, and different from all others. It depends on the kind and the name
/// of the node, and on the number of such nodes before it, so it is the same in other snapshots. The
/// exceptions are a few nodes whose ids would collide with others (about one in 4,000 if there are 1,000,000
/// nodes). Uses 20 bytes for each node, or 36 if hashes collide often, of which 4 are for the result.
[[nodiscard]] std::vector<std::uint32_t> make_stable_ids(const Graph& graph);

}  // namespace heapcheck::exports::heapsnapshot
