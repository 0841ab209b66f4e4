// Answers questions about allocations by call stack. Takes a profile and returns values that own their
// memory.
#pragma once

#include <cstdint>
#include <vector>

#include "heapcheck/types/answers.hpp"
#include "heapcheck/types/api.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/profile.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck {

/// The totals of all frames, types or allocators, largest first; `TopBy::retained` is the cumulative size.
/// Rows without memory are left out. spec: analysis.md#allocations-by-call-stack
[[nodiscard]] HEAPCHECK_API std::vector<NodeTotals> count_allocations(const AllocationProfile& profile,
                                                                      AllocationsOf of, TopBy by);

/// The totals of the whole profile, without a name.
[[nodiscard]] HEAPCHECK_API NodeTotals count_all(const AllocationProfile& profile);

/// The `limit` rows of the tree that hold the most memory (0: all rows). Each row comes after the row above
/// it. Errors: limit if the tree takes too much memory or time.
[[nodiscard]] HEAPCHECK_API Result<std::vector<StackRow>> make_stack_tree(const AllocationProfile& profile,
                                                                          StackTree tree, std::uint64_t limit,
                                                                          const Limits& limits = {});

}  // namespace heapcheck
