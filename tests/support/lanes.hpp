// Lets a test use certain wide instructions.
#pragma once

#include "formats/core/hot_loop.hpp"
#include "tests/support/catch.hpp"

namespace heapcheck::tests {

/// As long as this exists, the process uses the given lanes. Skip the test if the processor does not support
/// them.
class LanesInUse {
 public:
  explicit LanesInUse(core::Lanes lanes) { core::use_lanes(lanes); }
  ~LanesInUse() { core::use_lanes(core::find_widest_lanes()); }
  LanesInUse(const LanesInUse&) = delete;
  LanesInUse& operator=(const LanesInUse&) = delete;
};

inline bool has_lanes(core::Lanes lanes) { return lanes <= core::find_widest_lanes(); }

}  // namespace heapcheck::tests
