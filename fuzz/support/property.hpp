// Checks the property of a fuzz target. The check is never compiled out, so release builds do not only find
// crashes.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace heapcheck::fuzz {

/// Aborts the process if `property` is violated. The fuzzer records that as a crash.
inline void require(bool holds, const char* property) {
  if (holds) return;
  std::fprintf(stderr, "property violated: %s\n", property);
  std::abort();
}

}  // namespace heapcheck::fuzz
