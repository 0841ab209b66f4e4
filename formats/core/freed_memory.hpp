// Returns memory to the system that was freed in small pieces, which the GNU C library otherwise keeps for
// later requests. Large arrays, which are mapped on their own, cannot use it.
#pragma once

#include <cstdlib>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace heapcheck::core {

inline void return_freed_memory() {
#if defined(__GLIBC__)
  ::malloc_trim(0);
#endif
}

}  // namespace heapcheck::core
