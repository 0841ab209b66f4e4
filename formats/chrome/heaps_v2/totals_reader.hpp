// Reads the totals of the allocators from `args.dumps.allocators`. That object contains a lot of data for
// other readers, so anything in a different form is skipped without a finding.
#pragma once

#include <vector>

#include "formats/chrome/heaps_v2/context.hpp"
#include "formats/chrome/heaps_v2/model.hpp"

namespace heapcheck::chrome::heaps_v2 {

/// Reads the next value, which should be the object `allocators`. Returns the allocators that have a size in
/// bytes, in the order of the file.
std::vector<Total> read_totals(const Context& context);

}  // namespace heapcheck::chrome::heaps_v2
