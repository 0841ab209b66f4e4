// Which frame is called from which: ids and parents of a process's stack frames resolved to rows. In: the
// frames as read, whatever they say. Out: trees without cycles, and what was cut to get them. Linear time,
// not recursive. Owns what it keeps.
#pragma once

#include <cstdint>
#include <vector>

#include "formats/chrome/legacy/id_index.hpp"
#include "formats/chrome/legacy/model.hpp"

namespace heapcheck::chrome::legacy {

/// Not a row: of the parent of an outermost frame.
inline constexpr std::uint32_t no_row = UINT32_MAX;

struct FrameForest {
  IdIndex index;                      ///< the row of an id; of equal ids the first
  std::vector<std::uint32_t> parent;  ///< row, or no_row; of those below too, as if they had none
  std::vector<std::uint32_t> order;   ///< rows, parents first, else as in the file

  std::vector<std::uint32_t> dangling;  ///< rows whose parent is no frame
  std::vector<std::uint32_t> cycles;    ///< of each cycle the row whose parent was cut
};

FrameForest make_forest(const Frames& frames);

/// Where frames stand when trees are walked from the outermost frame inwards: a frame's callees, and theirs,
/// are the places from its own to `last`, both included.
struct Preorder {
  std::vector<std::uint32_t> place;  ///< by row
  std::vector<std::uint32_t> row;    ///< by place
  std::vector<std::uint32_t> last;   ///< by place
};

Preorder make_preorder(const FrameForest& forest);

}  // namespace heapcheck::chrome::legacy
