// Property: for any bytes, the figures for allocations by call stack add up in each snapshot, and a valid
// dump whose format has stacks has a profile.
#include "fuzz/support/inputs.hpp"
#include "heapcheck/dump.hpp"
#include "heapcheck/stacks.hpp"
#include "heapcheck/validate.hpp"

using namespace heapcheck;
using fuzz::require;

namespace {

template <class Rows>
std::uint64_t add_sizes(const Rows& rows) {
  std::uint64_t size = 0;
  for (const auto& row : rows) size += row.size;
  return size;
}

void require_sound(const AllocationProfile& profile) {
  const std::uint64_t size = count_all(profile).size;
  if (size == UINT64_MAX) return;  // a sum may have exceeded 64 bits
  require(add_sizes(count_allocations(profile, AllocationsOf::frames, TopBy::size)) == size,
          "the sizes of frames add up");
  for (const StackTree tree : {StackTree::from_root, StackTree::inverted}) {
    const auto rows = make_stack_tree(profile, tree, 0, fuzz::make_limits());
    require(rows || rows.error().kind == ErrorKind::limit, "a profile has a tree");
    require(!rows || add_sizes(*rows) == size, "the sizes of a tree add up");
    require(!rows || rows->front().cumulative == size, "the root holds everything");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto dump = open_bytes({data, size}, {.limits = fuzz::make_limits()});
  if (!dump) return 0;
  const bool is_valid = heapcheck::validate(*dump).verdict == Verdict::valid;
  for (const Snapshot& snapshot : dump->snapshots()) {
    const auto profile = snapshot.profile();
    if (profile) require_sound(*profile);
    const bool is_refused = !profile && (profile.error().kind == ErrorKind::unsupported ||
                                         profile.error().kind == ErrorKind::limit);
    require(!is_valid || profile || is_refused, "a valid snapshot has a profile if its format has stacks");
  }
  return 0;
}
