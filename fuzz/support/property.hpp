// How a fuzz target states its property. The check is on in every build: a target that checks
// nothing in a release build is only looking for crashes.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace heapcheck::fuzz {

/// Ends the process, which the fuzzer records as a crash, when `property` does not hold.
inline void require(bool holds, const char* property) {
  if (holds) return;
  std::fprintf(stderr, "property does not hold: %s\n", property);
  std::abort();
}

}  // namespace heapcheck::fuzz
