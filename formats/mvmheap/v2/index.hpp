// Reads the index at the end of a version 2 file, and finds where it ends. Owns nothing.
#pragma once

#include <optional>

#include "formats/core/window.hpp"
#include "formats/mvmheap/v2/container.hpp"

namespace heapcheck::mvmheap::v2 {

struct IndexRead {
  std::optional<Index> index;  ///< empty if the input ends inside it
  Span trailing;               ///< bytes after it, which belong to nothing
};

/// Reads from the index at the front of the window to the end of the input. The index has one entry for each
/// snapshot in `container`, unless its own trailer states a different number. More entries are accepted only
/// if the trailer counts them.
IndexRead read_index(core::Window& window, const SectionContainer& container);

}  // namespace heapcheck::mvmheap::v2
