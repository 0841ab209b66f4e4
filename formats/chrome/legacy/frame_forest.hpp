// Resolves the ids and parents of a process's stack frames to rows. The input is the frames as read, even if
// they have faults. The output is a set of trees without cycles, and the links that were cut to obtain them.
// Takes linear time and does not use recursion. Owns its data.
#pragma once

#include <cstdint>
#include <vector>

#include "formats/chrome/legacy/ids.hpp"
#include "formats/chrome/legacy/model.hpp"

namespace heapcheck::chrome::legacy {

/// Used instead of a row for the parent of an outermost frame.
inline constexpr std::uint32_t no_row = UINT32_MAX;

struct FrameForest {
  IdIndex index;  ///< the row of each id, which is the first row if several have the same id
  std::vector<std::uint32_t> parent;  ///< the row of the parent; no_row for outermost frames and for the rows
                                      ///< in `dangling` and `cycles`
  std::vector<std::uint32_t> order;   ///< the rows in file order, except that parents come first

  std::vector<std::uint32_t> dangling;  ///< the rows whose parent is not a frame
  std::vector<std::uint32_t> cycles;    ///< for each cycle, the row whose link to its parent was cut
};

FrameForest make_forest(const Frames& frames);

/// The positions of frames in a walk through the trees from the outermost frames inwards. A frame and all of
/// its direct and indirect callees are at the positions from the frame's own position to `last`, inclusive.
struct Preorder {
  std::vector<std::uint32_t> place;  ///< by row
  std::vector<std::uint32_t> row;    ///< by position
  std::vector<std::uint32_t> last;   ///< by position
};

Preorder make_preorder(const FrameForest& forest);

}  // namespace heapcheck::chrome::legacy
