// The call stacks of a profile, for the forms that write each of them in full. Borrows the profile.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heapcheck/types/profile.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::exports::profiles {

/// The largest number up to which JavaScript reads all integers exactly.
inline constexpr std::uint64_t most_exact_in_javascript = std::uint64_t{1} << 53U;

class Stacks {
 public:
  explicit Stacks(const AllocationProfile& profile) : profile_(&profile) {}

  /// The places from `place` outwards. The root is left out, unless it is the place itself. Errors: limit, if
  /// all stacks so far have more than 2^28 frames: a chain of N calls has N * N / 2 of them.
  [[nodiscard]] Result<std::vector<std::uint32_t>> from(std::uint32_t place);

 private:
  const AllocationProfile* profile_;
  std::uint64_t frames_ = 0;
};

/// The bytes and, if the format has them, the objects that each place holds itself.
struct PlaceTotals {
  std::vector<std::uint64_t> size;
  std::vector<std::uint64_t> count;
};
[[nodiscard]] PlaceTotals add_up_places(const AllocationProfile& profile);

}  // namespace heapcheck::exports::profiles
