// The answers about allocations by call stack: Chrome's heap dumps and V8's sampling profiles.
#pragma once

#include <string>
#include <string_view>

#include "cli/ask/answer.hpp"
#include "cli/ask/ask.hpp"
#include "cli/values.hpp"
#include "heapcheck/types/profile.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::cli {

/// Returns whether a count of `what` is one of allocations by stack, rather than of the nodes of a graph.
/// `kinds` of a sampling profile are those of its nodes.
bool counts_stacks(const AskedSnapshot& asked, std::string_view what);

/// What `what` counts in the snapshot. Errors: unsupported, if it does not have that.
Result<AllocationsOf> parse_allocations_of(const AllocationProfile& profile, std::string_view what);

Result<Answer> answer_top_stacks(const Values& values, const AskedSnapshot& asked);
Result<Answer> answer_tree(const Values& values, const AskedSnapshot& asked);

/// The columns of a summary of Chrome's heap dumps, and the values of one of them: its index, process, number
/// of objects, size and allocators.
Table make_profile_summary();
Result<std::vector<Cell>> make_profile_row(const AskedSnapshot& asked);

}  // namespace heapcheck::cli
