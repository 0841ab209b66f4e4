// Counts allocations by frame, type or allocator, and makes the tree of calls, in which calls of the same
// frame at the same place share a row. The tree leads from the root to its callees or, if inverted, from the
// frames that allocated memory to their callers. The input is a profile. The results are values that own
// their memory.
#pragma once

#include <cstdint>
#include <vector>

#include "analyze/dominators.hpp"
#include "analyze/row_count.hpp"
#include "heapcheck/types/answers.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/profile.hpp"
#include "heapcheck/types/result.hpp"
#include "heapcheck/types/table.hpp"

namespace heapcheck::analyze {

/// A number of bytes and a number of objects.
struct Amount {
  std::uint64_t size = 0;
  std::uint64_t count = 0;

  [[nodiscard]] bool is_zero() const { return size == 0 && count == 0; }
  Amount& operator+=(const Amount& more);
};

/// The place in source code where a frame of the profile starts.
[[nodiscard]] heapcheck::Place make_place(const AllocationProfile& profile, std::uint32_t frame);
/// Whether one frame comes before another in the order of names and, for equal names, of places.
[[nodiscard]] bool comes_before(const AllocationProfile& profile, std::uint32_t a, std::uint32_t b);

/// The memory of each place.
struct PlaceAmounts {
  std::vector<Amount> self = {};        ///< what the frame at this place allocated itself
  std::vector<Amount> cumulative = {};  ///< what the frame and everything that it called there allocated
  /// How much the frame itself allocated in total; empty if the profile does not state it.
  std::vector<Amount> allocated = {};
  /// Whether the frame or anything that it called there ever allocated memory; likewise.
  std::vector<bool> has_allocated = {};

  /// Whether there is anything to show at this place or below it.
  [[nodiscard]] bool is_used(std::uint32_t place) const {
    return !cumulative[place].is_zero() || (!has_allocated.empty() && has_allocated[place]);
  }
};

/// The places from `place` outwards. The root is left out unless it is `place` itself.
[[nodiscard]] std::vector<std::uint32_t> find_stack(const AllocationProfile& profile, std::uint32_t place);

/// Uses 32 bytes for each place, or 49 if the profile states how much was allocated in total.
[[nodiscard]] PlaceAmounts add_up_places(const AllocationProfile& profile);

/// The tree of calls in the form of a dominator tree. It can serve as one because each call can only be
/// reached through its caller.
[[nodiscard]] Dominators make_call_tree(const AllocationProfile& profile);

/// The totals for `of`, largest first; equal rows are sorted by name and place. The cumulative size of a
/// frame includes the memory of each stack that contains the frame only once, however often the frame occurs
/// there. Rows that never had any memory are left out. Takes linear time except for sorting, and uses 69
/// bytes for each place.
[[nodiscard]] std::vector<NodeTotals> count_allocations(const AllocationProfile& profile, AllocationsOf of,
                                                        TopBy by);

/// The totals for the whole profile, without a name.
[[nodiscard]] NodeTotals count_all(const AllocationProfile& profile);

/// The `limit` rows with the largest cumulative sizes (0 means all of them). The rows above these are always
/// included. Each row comes after the row above it. Of the rows at the same place, the largest comes first,
/// and equal rows are sorted by name and place. Uses 69 bytes for each place, and 96 for each row that is
/// returned.
/// Errors: limit if rows need more memory than Limits::max_memory or if an inverted tree takes too long.
[[nodiscard]] Result<std::vector<StackRow>> find_largest_calls(const AllocationProfile& profile,
                                                               StackTree tree, std::uint64_t limit,
                                                               const Limits& limits);

/// Counts the rows that find_largest_calls() returns without a limit. Only inverted trees can have too many
/// rows to count.
[[nodiscard]] RowCount count_calls(const AllocationProfile& profile, StackTree tree);

}  // namespace heapcheck::analyze
