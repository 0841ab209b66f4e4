#include "heapcheck/stacks.hpp"

#include "analyze/stacks.hpp"
#include "api/guard.hpp"

namespace heapcheck {

std::vector<NodeTotals> count_allocations(const AllocationProfile& profile, AllocationsOf of, TopBy by) {
  return analyze::count_allocations(profile, of, by);
}

NodeTotals count_all(const AllocationProfile& profile) { return analyze::count_all(profile); }

Result<std::vector<StackRow>> make_stack_tree(const AllocationProfile& profile, StackTree tree,
                                              std::uint64_t limit, const Limits& limits) {
  return api::guard([&] { return analyze::find_largest_calls(profile, tree, limit, limits); });
}

}  // namespace heapcheck
