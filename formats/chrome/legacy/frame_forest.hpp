// Which frame is called from which: the ids and parents of a process's stack frames, resolved to rows. In:
// the frames as read, whatever is wrong with them. Out: trees without cycles, and what was cut to get them.
// Linear time, not recursive. Owns what it keeps.
#pragma once

#include <cstdint>
#include <vector>

#include "formats/chrome/legacy/id_index.hpp"
#include "formats/chrome/legacy/model.hpp"

namespace heapcheck::chrome::legacy {

/// No row: the parent of an outermost frame.
inline constexpr std::uint32_t no_row = UINT32_MAX;

struct FrameForest {
  IdIndex index;                      ///< the row of an id; the first row if several have the id
  std::vector<std::uint32_t> parent;  ///< row, or no_row, also for the rows in `dangling` and `cycles`
  std::vector<std::uint32_t> order;   ///< rows, parents first, otherwise in the order of the file

  std::vector<std::uint32_t> dangling;  ///< rows whose parent is not a frame
  std::vector<std::uint32_t> cycles;    ///< the row of each cycle whose parent was cut
};

FrameForest make_forest(const Frames& frames);

/// The places of frames when trees are walked from the outermost frame inwards. A frame and everything it
/// calls, directly or not, have the places from its own to `last`, both included.
struct Preorder {
  std::vector<std::uint32_t> place;  ///< by row
  std::vector<std::uint32_t> row;    ///< by place
  std::vector<std::uint32_t> last;   ///< by place
};

Preorder make_preorder(const FrameForest& forest);

}  // namespace heapcheck::chrome::legacy
