// Counts allocations by frame, type or allocator. In: a profile. Out: values that own their memory.
#pragma once

#include <cstdint>
#include <vector>

#include "analyze/dominators.hpp"
#include "heapcheck/types/answers.hpp"
#include "heapcheck/types/profile.hpp"

namespace heapcheck::analyze {

/// Bytes, and the number of objects.
struct Amount {
  std::uint64_t size = 0;
  std::uint64_t count = 0;

  [[nodiscard]] bool is_zero() const { return size == 0 && count == 0; }
  Amount& operator+=(const Amount& more);
};

/// The memory of each place.
struct PlaceAmounts {
  std::vector<Amount> self;        ///< allocated by the frame at the place itself
  std::vector<Amount> cumulative;  ///< and by everything that it called there
};

/// Takes 32 bytes for each place.
[[nodiscard]] PlaceAmounts add_up_places(const AllocationProfile& profile);

/// The tree of calls as one of dominators, which it is: a call is reached only through its caller.
[[nodiscard]] Dominators make_call_tree(const AllocationProfile& profile);

/// The totals of `of`, largest first; rows that are equal in that are in the order of their names. The
/// cumulative size of a frame has the memory of each stack that it is part of once, however often it occurs
/// there. Rows without memory are left out. Takes linear time but for sorting, and 52 bytes for each place.
[[nodiscard]] std::vector<NodeTotals> count_allocations(const AllocationProfile& profile, AllocationsOf of,
                                                        TopBy by);

/// The totals of the whole profile, without a name.
[[nodiscard]] NodeTotals count_all(const AllocationProfile& profile);

}  // namespace heapcheck::analyze
