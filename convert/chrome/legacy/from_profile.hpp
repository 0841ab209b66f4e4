// Writes a profile as legacy heap dumps: breaks the memory of each allocator down by stack frame and, once,
// by type, as Chrome's writer did, and drops small values. If a frame has both its own memory and callees,
// its own memory becomes that of a callee `<self>`. spec: chrome/legacy.md#writer
#pragma once

#include <cstdint>
#include <vector>

#include "convert/chrome/profile.hpp"
#include "formats/chrome/legacy/model.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::conversion::chrome::legacy {

namespace format = heapcheck::chrome::legacy;

/// Selects the parts of a frame or type that get an entry. If both members are 0, all parts get one.
struct CutOff {
  /// Only parts with at least this many bytes. Chrome's default was 1024.
  std::uint64_t threshold_bytes = 0;
  /// If not 0, only the largest parts, up to the first one with less than this many thousandths of the sum of
  /// those before it. Writers before the threshold used 8 or 10.
  std::uint32_t share_permille = 0;
};

struct FromProfile {
  format::Model model;
  std::vector<Loss> losses;  ///< in a fixed order; none has a count of 0
};

/// Frames and types that no entry refers to are left out. Without a cut-off, to_profile() returns the same
/// rows again, except for frames called `<self>` without callees. Errors: limit, if a deep profile has more
/// cumulative values than max_memory allows; unsupported, if the sizes or counts of an allocator add up to
/// more than an entry can hold.
Result<FromProfile> from_profile(const Profile& profile, const CutOff& cut_off, const Limits& limits);

}  // namespace heapcheck::conversion::chrome::legacy
