// Writes a profile as legacy heap dumps: breaks the memory of each allocator down by stack frame and, once,
// by type, as Chrome's writer did, and drops what is small. Memory that is a frame's own, where the frame has
// callees too, becomes that of a callee `<self>`. spec: chrome/legacy.md#writer
#pragma once

#include <cstdint>
#include <vector>

#include "convert/chrome/profile.hpp"
#include "formats/chrome/legacy/model.hpp"
#include "heapcheck/limits.hpp"
#include "heapcheck/result.hpp"

namespace heapcheck::conversion::chrome::legacy {

namespace format = heapcheck::chrome::legacy;

/// Which parts of a frame or type get an entry. With neither all of them do.
struct CutOff {
  /// Those with as many bytes or more. Chrome's default was 1024.
  std::uint64_t threshold_bytes = 0;
  /// Where not 0: the largest first, until one adds less than this many thousandths of what those before it
  /// hold together, as writers before the threshold did with 8 or 10.
  std::uint32_t share_permille = 0;
};

struct FromProfile {
  format::Model model;
  std::vector<Loss> losses;  ///< in a fixed order; none of count 0
};

/// Frames and types that no entry names are left out. Without a cut-off to_profile() gives the same rows
/// back, but for frames called `<self>` without callees. Errors: limit, where a deep profile has more
/// cumulative values than max_memory allows; unsupported, where an allocator's sizes or counts add up to more
/// than an entry can hold.
Result<FromProfile> from_profile(const Profile& profile, const CutOff& cut_off, const Limits& limits);

}  // namespace heapcheck::conversion::chrome::legacy
