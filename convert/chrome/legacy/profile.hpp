// Converts legacy heap dumps to a profile and back. Reading computes self values by stack and type. If
// entries are missing because they were below the writer's threshold, their memory is assigned to frames and
// a type called `<other>`, which counts as a loss. Takes linear time except for sorting. Writing breaks down
// the memory of each allocator by stack frame and once by type, as Chrome's writer did, and drops small
// values. If a frame has both memory of its own and callees, its own memory becomes that of a `<self>`
// callee. spec: chrome/legacy.md#values, chrome/legacy.md#writer
#pragma once

#include <cstdint>
#include <vector>

#include "convert/chrome/profile.hpp"
#include "formats/chrome/legacy/model.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::conversion::chrome::legacy {

namespace format = heapcheck::chrome::legacy;

/// Where to put the memory of a stack with callees if it is not in the entry of any callee. Such memory may
/// belong to the stack itself or to callees without an entry.
enum class Remainders : std::uint8_t {
  in_callee,  ///< into an `<other>` callee, unless the threshold is 0
  in_stack,   ///< into the stack itself
};

/// Converts all of `model`, even if it has faults. The memory of a frame that is called `<self>` and has no
/// callees becomes its caller's own memory.
Meaning to_profile(const format::Model& model, Remainders remainders = Remainders::in_callee);

/// Selects which parts of a frame or type get an entry. If both members are 0, all parts do.
struct CutOff {
  /// Parts with fewer bytes than this are left out. Chrome's default was 1024.
  std::uint64_t threshold_bytes = 0;
  /// If this is not 0, only the largest parts get an entry, up to the first part with less than this many
  /// thousandths of the sum of the parts before it. Writers used 8 or 10 before the threshold existed.
  std::uint32_t share_permille = 0;
};

struct FromProfile {
  format::Model model;
  std::vector<Loss> losses;  ///< in a fixed order; none has a count of 0
};

/// Leaves out frames and types to which no entry refers. Without a cut-off, to_profile() returns the same
/// rows again, except for frames that are called `<self>` and have no callees. Errors: limit if a deep
/// profile has more cumulative values than max_memory allows; unsupported if the sizes or counts of an
/// allocator add up to more than an entry can represent.
Result<FromProfile> from_profile(const Profile& profile, const CutOff& cut_off, const Limits& limits);

}  // namespace heapcheck::conversion::chrome::legacy
