// Property: whatever the input, either the recovered dump is valid in every format or nothing is written, and
// every dropped snapshot is listed.
#include "recover/mvmheap/recover.hpp"

#include "fuzz/support/check.hpp"

using namespace heapcheck;
using fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto targets = targets_of(Family::mvmheap);
  recovery::mvmheap::RecoverOptions options;
  options.limits = fuzz::make_limits();
  options.is_damaged = size > fuzz::long_input || !fuzz::is_valid({data, size}, options.limits);
  options.write.level = 1;
  // The last byte determines the options. In real dumps it is usually 0.
  const std::uint8_t control = size != 0 ? data[size - 1] : 0;
  options.placeholder_names = (control & 1U) != 0;
  const std::size_t target = (control >> 1U) % (targets.size() + 1);
  if (target != 0) options.target = targets[target - 1];

  core::MemorySource source({data, size});
  core::MemorySink out;
  const auto recovery =
      recovery::mvmheap::recover(formats::RereadableDump(source, options.limits), options, out);
  if (!recovery)
    return 0;  // the target may be unable to represent a later snapshot, in which case callers do not keep
               // anything
  require(recovery->dropped.snapshots >= recovery->dropped_snapshots.size(),
          "every snapshot that is listed as dropped is counted");
  if (out.bytes().empty()) {
    require(recovery->kept.snapshots == 0, "a kept snapshot is written");
    return 0;
  }
  require(fuzz::is_valid(out.bytes(), {}), "a recovered dump is valid");
  return 0;
}
