// Reads of `args.dumps.allocators` what it says the allocators held. Other readers look into it for much
// else, so what is written in another way is passed over here without a finding.
#pragma once

#include <vector>

#include "formats/chrome/heaps_v2/context.hpp"
#include "formats/chrome/heaps_v2/model.hpp"

namespace heapcheck::chrome::heaps_v2 {

/// Reads the value that comes next, which should be the object `allocators`. Gives the allocators that have a
/// size in bytes, in the order of the file.
std::vector<Total> read_totals(const Context& context);

}  // namespace heapcheck::chrome::heaps_v2
