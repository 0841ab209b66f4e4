// Without pages that can be mapped and moved, all memory of large arrays comes from the heap.
#include "formats/core/large_array.hpp"

#include <cstdlib>
#include <new>

namespace heapcheck::core {

void* grow_array_memory(void* memory, std::size_t, std::size_t, std::size_t new_bytes) {
  void* const grown = std::realloc(memory, new_bytes);
  if (grown == nullptr) throw std::bad_alloc();
  return grown;
}

void free_array_memory(void* memory, std::size_t) noexcept { std::free(memory); }

// All of the capacity takes up memory, and so does the old array while its values are copied.
std::size_t next_capacity(std::size_t capacity) { return capacity + capacity / 4 + 1; }

}  // namespace heapcheck::core
