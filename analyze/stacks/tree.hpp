// The tree of calls, with calls of the same frame at the same place in one row: from the root to what it
// calls, or inverted, from what allocated memory to its callers. In: a profile. Out: rows.
#pragma once

#include <cstdint>
#include <vector>

#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/profile.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::analyze {

/// The `limit` rows with the largest cumulative sizes (0: all of them), and the rows above them, which are
/// among them. Each row comes after the one above it; of those at the same place, the largest comes first,
/// and rows that are equal in that are in the order of their names. Takes 52 bytes for each place, and 64 for
/// each row that is returned. Errors: limit, if rows need more memory than Limits::max_memory, or if an
/// inverted tree takes too long.
[[nodiscard]] Result<std::vector<StackRow>> find_largest_calls(const AllocationProfile& profile,
                                                               StackTree tree, std::uint64_t limit,
                                                               const Limits& limits);

}  // namespace heapcheck::analyze
