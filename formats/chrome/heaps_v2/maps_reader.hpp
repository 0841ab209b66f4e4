// Reads `maps`. Leaf parsers read rows in the form that Chrome writes; all others are read token by token.
#pragma once

#include <string_view>

#include "formats/chrome/heaps_v2/context.hpp"
#include "formats/chrome/heaps_v2/model.hpp"

namespace heapcheck::chrome::heaps_v2 {

/// Reads the next value, which should be the object `maps`.
void read_maps(const Context& context, Dump& dump);

}  // namespace heapcheck::chrome::heaps_v2
