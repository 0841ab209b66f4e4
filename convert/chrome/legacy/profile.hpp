// Converts legacy heap dumps to a profile and back. Reading computes self values by stack and type. If
// entries are missing because they were below the writer's threshold, their memory goes to frames and a type
// called `<other>`, which is a loss. Takes linear time except for sorting. Writing breaks the memory of each
// allocator down by stack frame and once by type, as Chrome's writer did, and drops small values. If a frame
// has both its own memory and callees, its own memory becomes the memory of a callee `<self>`. spec:
// chrome/legacy.md#values, chrome/legacy.md#writer
#pragma once

#include <cstdint>
#include <vector>

#include "convert/chrome/profile.hpp"
#include "formats/chrome/legacy/model.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::conversion::chrome::legacy {

namespace format = heapcheck::chrome::legacy;

/// The destination of the memory of a stack with callees that is in none of the callees' entries. It may
/// belong to the stack itself or to callees without an entry.
enum class Remainders : std::uint8_t {
  in_callee,  ///< to a callee `<other>`, unless the threshold is 0
  in_stack,   ///< to the stack itself
};

/// Converts all of `model`, even if it has faults. The memory of a frame called `<self>` without callees
/// becomes its caller's own memory.
Meaning to_profile(const format::Model& model, Remainders remainders = Remainders::in_callee);

/// Selects the parts of a frame or type that get an entry. If both members are 0, all parts get one.
struct CutOff {
  /// Only parts with at least this many bytes. Chrome's default was 1024.
  std::uint64_t threshold_bytes = 0;
  /// If not 0, only the largest parts, up to the first one with less than this many thousandths of the sum of
  /// the parts before it. Writers from before the threshold existed used 8 or 10.
  std::uint32_t share_permille = 0;
};

struct FromProfile {
  format::Model model;
  std::vector<Loss> losses;  ///< in a fixed order; none has a count of 0
};

/// Leaves out frames and types that no entry refers to. Without a cut-off, to_profile() returns the same rows
/// again, except for frames called `<self>` without callees. Errors: limit, if a deep profile has more
/// cumulative values than max_memory allows; unsupported, if the sizes or counts of an allocator add up to
/// more than an entry can represent.
Result<FromProfile> from_profile(const Profile& profile, const CutOff& cut_off, const Limits& limits);

}  // namespace heapcheck::conversion::chrome::legacy
