// How a fuzz target checks its property. The check is never compiled out: otherwise a release build would
// only find crashes.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace heapcheck::fuzz {

/// Aborts the process if `property` is false; the fuzzer records that as a crash.
inline void require(bool holds, const char* property) {
  if (holds) return;
  std::fprintf(stderr, "property violated: %s\n", property);
  std::abort();
}

}  // namespace heapcheck::fuzz
