// The index at the end of a version 2 file: how much of what stands there is it. Owns what it returns.
#pragma once

#include <optional>

#include "formats/core/window.hpp"
#include "formats/mvmheap/v2/container.hpp"

namespace heapcheck::mvmheap::v2 {

struct IndexRead {
  std::optional<Index> index;  ///< empty where the input ends inside it
  Span trailing;               ///< bytes behind it, which belong to nothing
};

/// Reads the index that stands at the window's front, to the end of the input. It has an entry for each
/// snapshot that `container` knows, unless its own trailer counts it otherwise. Entries beyond those
/// snapshots are counted by the trailer alone.
IndexRead read_index(core::Window& window, const SectionContainer& container);

}  // namespace heapcheck::mvmheap::v2
