// When a snapshot was recorded.
#pragma once

#include <cstdint>
#include <optional>

namespace heapcheck {

/// When a snapshot was recorded, and by which process. Times are in microseconds and come from a monotonic
/// clock. Only MoarVM dumps of version 3 state this.
struct Recording {
  std::uint64_t start = 0;                ///< when the process began to record snapshots
  std::uint64_t time = 0;                 ///< when the snapshot was taken
  std::optional<std::uint64_t> pid = {};  ///< the id of the process; not every version writes it
};

}  // namespace heapcheck
