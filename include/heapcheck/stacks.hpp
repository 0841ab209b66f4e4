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

/// The totals for all frames, types or allocators, largest first; `TopBy::retained` means the cumulative
/// size. Leaves out rows without memory. spec: analysis.md#allocations-by-call-stack
[[nodiscard]] HEAPCHECK_API std::vector<NodeTotals> count_allocations(const AllocationProfile& profile,
                                                                      AllocationsOf of, TopBy by);

/// The totals for the whole profile, without a name.
[[nodiscard]] HEAPCHECK_API NodeTotals count_all(const AllocationProfile& profile);

/// The `limit` rows of the tree that account for the most memory (0 means all rows). Each row comes after the
/// row above it. Errors: limit if the tree would take too much memory or time.
[[nodiscard]] HEAPCHECK_API Result<std::vector<StackRow>> make_stack_tree(const AllocationProfile& profile,
                                                                          StackTree tree, std::uint64_t limit,
                                                                          const Limits& limits = {});

}  // namespace heapcheck
