// Reads an allocator: four columns of numbers or, in a form that some tools accept, an array of row objects.
#pragma once

#include <string_view>

#include "formats/chrome/heaps_v2/context.hpp"
#include "formats/chrome/heaps_v2/model.hpp"

namespace heapcheck::chrome::heaps_v2 {

/// Reads an allocator's object after its opening brace, up to its end; `prefix` is its path.
void read_heap(const Context& context, std::string_view prefix, Heap& heap);

}  // namespace heapcheck::chrome::heaps_v2
