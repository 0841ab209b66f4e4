// The process that a heap dump in a Chrome trace describes. A value that owns its memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace heapcheck {

/// The process that a heap dump describes, and the memory dump that the heap dump is part of. Only the dumps
/// in traces have one; in all other formats, all members are empty.
struct DumpProcess {
  std::string name = {};                 ///< human-readable: `Renderer 4711`, `4711` or `unknown process`
  std::string type = {};                 ///< as the trace names it, such as `Renderer`; empty if it does not
  std::optional<std::int64_t> pid = {};  ///< its id; none if the trace does not show which process it is
  std::string dump = {};                 ///< the id of the memory dump in the trace, such as `0x3`

  friend bool operator==(const DumpProcess&, const DumpProcess&) = default;
};

}  // namespace heapcheck
