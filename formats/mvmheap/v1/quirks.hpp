// Accepted deviations of released writers that need their own code: references without targets, which MoarVM
// wrote until 2017.03 if it was built for 32 bits. spec: mvmheap/v1.md#32-bit-builds
#pragma once

#include "formats/mvmheap/model.hpp"

namespace heapcheck::mvmheap::v1 {

/// Whether the items of the references, which were read as kind, index and target, are kind, 0 and index. All
/// columns of a table must have the same length.
[[nodiscard]] bool lacks_targets(const Snapshot& snapshot);

/// Moves the third field of each reference to its index, and records that there are no targets.
void move_indices(References& references);

}  // namespace heapcheck::mvmheap::v1
